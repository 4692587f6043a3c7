"""What there is to see of runs and of results: functions that return panels of a picture.

A class that ends in `View` makes a strip of the bench's picture; a function `plot_...` paints the same panels into a
figure. Begin with `curves`.
"""
