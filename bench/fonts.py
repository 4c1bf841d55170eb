"""Make the fonts again: a small part of Source Serif 4, under a name of its own.

    npm pack @fontsource-variable/source-serif-4
    python -m bench.fonts package/files/source-serif-4-latin-opsz-normal.woff2

It needs fonttools and brotli. The licence reserves the name of the original, so ours has another
one in its files, in their name tables and in the style sheets.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = "Mauerwerk Serif"
BOLD, REGULAR = 700, 400
OPTICAL_SIZE = 18
LETTERS = (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x152, 0x153, 0x178)
SIGNS = (*range(0x2010, 0x2015), *range(0x2018, 0x201F), 0x2026, 0x2039, 0x203A, 0x20AC, 0x2212)
FEATURES = ["kern", "liga", "tnum", "lnum", "ccmp", "locl", "mark", "mkmk"]
COPYRIGHT_AND_LICENCE = {0, 5, 13, 14}
"""The entries of the name table that stay as they are."""
WINDOWS = (3, 1, 0x409)
SOURCES = Path(__file__).parent.parent / "src/mauerwerk"
PICTURES = SOURCES / "core/svg/fonts"
PAGES = SOURCES / "server/ui/static"


def made(source: str, weight: int) -> Any:  # noqa: ANN401 - of fonttools
    """One weight of the source, with the letters that we need."""
    subset: Any = import_module("fontTools.subset")
    instancer: Any = import_module("fontTools.varLib.instancer")
    whole = import_module("fontTools.ttLib").TTFont(source)
    font = instancer.instantiateVariableFont(whole, {"wght": weight, "opsz": OPTICAL_SIZE})
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["STAT"]  # about axes that one weight has not; Firefox complains
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*LETTERS, *SIGNS])
    subsetter.subset(font)
    _rename(font, "Bold" if weight == BOLD else "Regular")
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = 0x20 if weight == BOLD else 0x40
    font["head"].macStyle = int(weight == BOLD)
    font.flavor = None
    return font


def _rename(font: Any, style: str) -> None:  # noqa: ANN401 - of fonttools
    names = font["name"]
    for number in {each.nameID for each in names.names} - COPYRIGHT_AND_LICENCE:
        names.removeNames(number)
    full = f"{NAME} {style}"
    said = {1: NAME, 2: style, 3: full, 4: full, 6: f"{NAME.replace(' ', '')}-{style}"}
    for number, text in said.items():
        names.setName(text, number, *WINDOWS)


if __name__ == "__main__":
    bold = made(sys.argv[1], BOLD)
    bold.save(PICTURES / "mauerwerk-serif-bold.ttf")
    bold.flavor = "woff2"
    bold.save(PAGES / "mauerwerk-serif.woff2")
    made(sys.argv[1], REGULAR).save(PICTURES / "mauerwerk-serif-regular.ttf")
