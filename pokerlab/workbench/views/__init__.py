"""What the bench can show of a run: each view paints a part of its picture; plots of the same kind stand beside it."""
