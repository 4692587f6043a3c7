"""The libraries that pokerlab is timed against, each behind the same few tasks."""
