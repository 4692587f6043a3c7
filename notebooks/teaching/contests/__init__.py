"""A contest for a class: submissions run in confined processes, and a leaderboard ranks those that can be played.

Begin with `standings`, whose `leaderboard` runs a contest. `apart` starts the process of a submission and asks it;
`answering` is the program in that process; `confine` says what it is allowed, by `landlock` and `seccomp`. This file
imports none of them, because each of those processes starts with it.
"""

import sys

if sys.platform == "win32":
    raise ImportError("A contest needs Linux or macOS. On Windows, run it in WSL or a container.")
