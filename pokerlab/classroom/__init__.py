"""The classroom: answers put to the test, and guesses beside the truth.

`checks` compares an answer and says what a wrong one lacks; `exercises` lists those of the lessons, with programs for
their truth in `truths`, and keeps the guesses that are made before a result is seen.
"""

from pokerlab.classroom.exercises import check as check
from pokerlab.classroom.exercises import predict as predict
from pokerlab.classroom.exercises import predictions as predictions
from pokerlab.core.public_names import declare_public_names

declare_public_names(globals())
