"""The classroom: answers put to the test, guesses beside the truth, and a contest with each submission apart.

`checks` compares an answer and says what a wrong one lacks; `exercises` lists those of the lessons, with programs for
their truth in `truths`. `guesses` are made before a result is seen. Teachers begin with `standings`: who meets whom,
and what comes of it. `apart` asks a submission in its process, and says what that keeps out; `answering` runs there.
"""

from pokerlab.classroom.exercises import check as check
from pokerlab.classroom.guesses import predict as predict
from pokerlab.classroom.guesses import predictions as predictions
from pokerlab.classroom.standings import Leaderboard as Leaderboard
from pokerlab.classroom.standings import leaderboard as leaderboard
from pokerlab.core.faces import shown

__all__, __dir__ = shown(globals())
