"""Draw the icons of the app on the phone from the project's logo.

    python docs/icons.py

They are few and small, and committed: a server draws nothing for them.
"""

import re
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

STATIC: Final = Path(__file__).parent.parent / "src" / "mauerwerk" / "server" / "ui" / "static"
PAPER: Final = "#FDF9F1"
COLOURS: Final = 64
LOGO_SIZE: Final = 46
"""The width of the logo's own view."""


def icon(room: float, *, round_: bool) -> str:
    """The logo on paper; `room` is the part of the width that it takes up."""
    logo = (STATIC / "logo.svg").read_text(encoding="utf-8")
    walls = re.sub(r"</?svg[^>]*>", "", logo)
    scale = 100 * room / LOGO_SIZE
    left = 50 - scale * 20
    top = 50 - scale * 17
    corner = 18 if round_ else 0
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">'
        f'<rect width="100" height="100" rx="{corner}" fill="{PAPER}"/>'
        f'<g transform="translate({left:.2f} {top:.2f}) scale({scale:.4f})">{walls}</g></svg>'
    )


def badge() -> str:
    """The logo as a white shape, as phones show it in the bar at the top."""
    walls = re.search(r"<g.*</g>", (STATIC / "logo.svg").read_text(encoding="utf-8"))
    assert walls
    white = re.sub(r'(fill|stroke)="#[0-9A-F]{6}"', r'\1="#fff"', walls[0])
    bare = white.replace('stroke-width="1.8"', 'stroke-width="0"')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -6 46 46" width="96" height="96">'
        f"{bare}</svg>"
    )


ICONS: Final = {
    "icons/192.png": (icon(0.78, round_=True), 192),
    "icons/512.png": (icon(0.78, round_=True), 512),
    # A phone cuts it to a shape of its own: what matters lies within 80 % of the middle.
    "icons/maskable.png": (icon(0.56, round_=False), 512),
    "icons/apple.png": (icon(0.7, round_=False), 180),
    "icons/badge.png": (badge(), 96),
}


def png(drawing: str, size: int) -> bytes:
    """A drawing as PNG with few colours; around it nothing is painted."""
    resvg: Any = import_module("resvg_py")
    images: Any = import_module("PIL.Image")
    drawn = images.open(BytesIO(bytes(resvg.svg_to_bytes(svg_string=drawing, width=size))))
    out = BytesIO()
    few = drawn.convert("RGBA").quantize(COLOURS, method=images.Quantize.FASTOCTREE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Write them."""
    (STATIC / "icons").mkdir(exist_ok=True)
    for name, (drawing, size) in ICONS.items():
        (STATIC / name).write_bytes(png(drawing, size))


if __name__ == "__main__":
    main()
