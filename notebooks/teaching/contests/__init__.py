"""A contest for a class: submissions that run apart, and a leaderboard of those that can be played.

Begin with `standings`: who meets whom, and what comes of it. `apart` asks a submission in its process, and says what
that keeps out; `answering` is what runs there.
"""

from contests.standings import Leaderboard as Leaderboard
from contests.standings import leaderboard as leaderboard
