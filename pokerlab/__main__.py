"""`python -m pokerlab` says what there is and how to begin."""

import pokerlab

if __name__ == "__main__":
    print(f"{pokerlab.__doc__}\nThis is version {pokerlab.__version__}; help(pl) shows this page.")
