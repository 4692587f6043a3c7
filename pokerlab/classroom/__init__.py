"""The classroom: checks of answers to exercises, and predictions that are compared with results.

`checks` compares an answer with the right one and explains what is wrong with it. `exercises` has the check of each
exercise of the lessons. `truths_on_games`, `truths_on_learning` and `truths_on_holdem` have the programs that compute
the right answers. `guesses` records the predictions that students make before they see a result, and reads those of a
class.
"""

from pokerlab.classroom.exercises import check as check
from pokerlab.classroom.guesses import predict as predict
from pokerlab.classroom.guesses import predictions as predictions
from pokerlab.classroom.guesses import read_class as read_class
from pokerlab.core.public_names import declare_public_names

declare_public_names(globals())
