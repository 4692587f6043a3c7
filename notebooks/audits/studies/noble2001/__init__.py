"""Noble & Watson (2001): what is recorded of their regimes, what it says, and how sure a generation's hands are."""
