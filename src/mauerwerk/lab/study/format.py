"""Numbers for readers: significant digits only, with the decimal point of the language."""

from math import floor, log10
from typing import Final

from mauerwerk.lab.intervals import Estimate

MOST_DIGITS: Final = 5
"""The largest number of decimal places."""
_COMMA: Final = ("de", "it")
"""Languages that write 2,5 where English writes 2.5."""


def digits(estimate: Estimate, *, share: bool) -> int:
    """The number of decimal places that leaves two significant digits of the interval.

    >>> digits(Estimate(52.0, 51.4, 52.6), share=False)
    2
    >>> digits(Estimate(0.25, 0.2, 0.3), share=True)
    1
    """
    ends = [end for end in (estimate.low, estimate.mean, estimate.high) if end is not None]
    if not share and not any(end % 1 for end in ends):
        return 0
    if estimate.low is None or estimate.high is None:
        return 1
    reach = max(estimate.high - estimate.mean, estimate.mean - estimate.low) * (100 if share else 1)
    if not reach:
        return 1
    return min(max(1 - floor(log10(reach)), 0), MOST_DIGITS)


def number(value: float, places: int, code: str = "en", *, share: bool = False) -> str:
    """A number with this many decimal places, in percent if it is a share.

    >>> number(0.2512, 1, share=True), number(12345.678, 1, "de")
    ('25.1 %', '12.345,7')
    """
    written = f"{value * (100 if share else 1):,.{places}f}"
    if code in _COMMA:
        written = written.translate(str.maketrans(",.", ".,"))
    if not written.strip("-0.,"):
        written = written.lstrip("-")
    written = written.replace("-", "\N{MINUS SIGN}")
    return f"{written} %" if share else written


def middle(estimate: Estimate, code: str = "en", *, share: bool) -> str:
    """The mean."""
    return number(estimate.mean, digits(estimate, share=share), code, share=share)


def reach(estimate: Estimate, code: str = "en", *, share: bool) -> str:
    r"""Both ends of the interval, without a unit; empty without an interval.

    >>> reach(Estimate(0.25, 0.2, 0.3), share=True) == "20.0\N{EN DASH}30.0"
    True
    """
    if estimate.low is None or estimate.high is None:
        return ""
    places, times = digits(estimate, share=share), 100 if share else 1
    joint = " \N{HORIZONTAL ELLIPSIS} " if estimate.low < 0 else "\N{EN DASH}"
    return joint.join(number(end * times, places, code) for end in (estimate.low, estimate.high))


def signed(estimate: Estimate, code: str = "en", *, share: bool) -> str:
    r"""A difference with its sign; that of shares is in percentage points.

    >>> signed(Estimate(0.031, 0.01, 0.05), share=True)
    '+3.1'
    >>> signed(Estimate(-2.5, -3, -2), share=False) == "\N{MINUS SIGN}2.50"
    True
    """
    places, times = digits(estimate, share=share), 100 if share else 1
    written = number(abs(estimate.mean) * times, places, code)
    sign = "\N{MINUS SIGN}" if estimate.mean < 0 else "+"
    return written if not written.strip("0.,") else f"{sign}{written}"


def plus_minus(estimate: Estimate, code: str = "en", *, share: bool) -> str:
    """How far the interval reaches to the farther side; empty without an interval.

    >>> plus_minus(Estimate(0.25, 0.21, 0.3), share=True)
    '±5.0'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    farther = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    places, times = digits(estimate, share=share), 100 if share else 1
    return f"±{number(farther * times, places, code)}"
