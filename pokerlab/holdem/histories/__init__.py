"""Hands as text and as files.

Begin with `history`, which describes a hand street by street. `phh` writes hands in the PHH format and reads
them back, with `phh_fields` for the fields of a file.
"""
