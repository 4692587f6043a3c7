from .direct_encoding import DirectEncoding as DirectEncoding
from .network_encoding import Inputs as Inputs
from .network_encoding import NetworkEncoding as NetworkEncoding
from .vectors import BitString as BitString
from .vectors import Integers as Integers
from .vectors import RealVector as RealVector
