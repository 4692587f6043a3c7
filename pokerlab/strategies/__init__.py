"""Other forms of a strategy than behaviour: pure and mixed strategies of the normal form."""

from pokerlab.strategies.normal_form import NormalForm, product_mixture, pure_plans

__all__ = ["NormalForm", "product_mixture", "pure_plans"]
