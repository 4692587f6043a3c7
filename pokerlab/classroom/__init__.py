"""For teachers: a contest for a class, with each submission in a process of its own.

Begin with `standings`: who meets whom, and what comes of it. `apart` asks a submission in its process, and says what
that keeps out; `answering` is what runs there.
"""

from pokerlab.classroom.standings import Leaderboard as Leaderboard
from pokerlab.classroom.standings import leaderboard as leaderboard
from pokerlab.core.faces import shown

__all__, __dir__ = shown(globals())
