"""Tests of pokerlab."""
