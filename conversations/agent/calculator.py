"""Arithmetic for the model: the public tool's answers, from a bounded walk over a whitelisted syntax tree.

Nothing of the expression is ever evaluated by Python itself. Sizes are bounded before each step, so an expression
cannot cost more than a few milliseconds.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any

ALLOWED = frozenset("0123456789+-*/(). ")
LONGEST = 1_000
# Bits of an integer on the way; beyond it the answer could not become a float anyway.
LARGEST_BITS = 10_000
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


class NotArithmetic(Exception):
    """The expression holds something else than numbers, signs, operators and brackets, or is too large."""


def calculate(expression: str) -> str:
    """The value rounded to two decimals, or the public tool's error text."""
    if any(letter not in ALLOWED for letter in expression):
        return "Error: invalid characters in expression"
    try:
        if len(expression) > LONGEST:
            raise NotArithmetic("the expression is too long")
        # `eval`, which the public tool uses, ignores leading blanks.
        tree = ast.parse(expression.lstrip(" "), "<string>", "eval")
        return str(round(float(_value(tree.body)), 2))
    except (NotArithmetic, ArithmeticError, SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        return f"Error: {error}"


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=sign, operand=operand):
            return SIGNS[type(sign)](_value(operand))
        case ast.BinOp(left=left, op=kind, right=right):
            first, second = _value(left), _value(right)
            _check_size(kind, first, second)
            return OPERATORS[type(kind)](first, second)
        case ast.Tuple(elts=[]):
            return ()
        case ast.Call(func=func):
            # Two brackets side by side: a number cannot be called, and Python says so.
            raise TypeError(f"'{type(_value(func)).__name__}' object is not callable")
        case _:
            raise NotArithmetic("only numbers and + - * / ( ) can be calculated")


def _check_size(kind: ast.operator, first: Any, second: Any) -> None:
    if not (isinstance(first, int) and isinstance(second, int)):
        return
    bits = first.bit_length() + second.bit_length()
    if isinstance(kind, ast.Pow):
        bits = first.bit_length() * abs(second)
    if bits > LARGEST_BITS:
        raise NotArithmetic("the numbers are too large")
