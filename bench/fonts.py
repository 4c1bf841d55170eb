"""Make the fonts again: a small part of Source Serif 4, under a name of its own.

    npm pack @fontsource-variable/source-serif-4
    python -m bench.fonts package/files/source-serif-4-latin-opsz-normal.woff2

It needs fonttools and brotli. The licence reserves the name of the original, so ours has another
one in its files, in their name tables and in the style sheets.

Pages get the letters of German, English and Italian. All others are in a second file, which a
browser fetches for a page that has one of them in a title, such as the name of a guest. The range
that is printed belongs into `page.css`.
"""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = "Mauerwerk Serif"
BOLD, REGULAR = 700, 400
OPTICAL_SIZE = 18
LETTERS = (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x152, 0x153, 0x178)
SIGNS = (*range(0x2010, 0x2015), *range(0x2018, 0x201F), 0x2026, 0x2039, 0x203A, 0x20AC, 0x2212)
OF_OUR_LANGUAGES = {
    *range(0x20, 0x7F),
    *map(ord, "\xa0ÄÖÜäöüßÀÈÉÌÍÎÒÓÙÚàèéìíîòóùú«»·\xd7\u2013—\u2018\u2019\u201a“”„…\u2212"),
}
"""What pages get first."""
FEATURES = ["kern", "liga", "tnum", "lnum", "ccmp", "locl", "mark", "mkmk"]
FEATURES_OF_PAGES = ["kern", "liga", "tnum", "lnum", "locl"]
"""No letter of a page has its accents apart."""
KERNING_STEP = 10
"""On pages two letters are so many thousandths of their size nearer, or a multiple: what is rounded
is a fifth of a pixel in the largest title, and takes 700 bytes less."""
PAIR, EXTENSION = 2, 9
"""Types of lookups: pairs of letters, and one in a larger table."""
COPYRIGHT_AND_LICENCE = {0, 5, 13, 14}
"""The entries of the name table that stay as they are."""
WINDOWS = (3, 1, 0x409)
SOURCES = Path(__file__).parent.parent / "src/mauerwerk"
PICTURES = SOURCES / "core/svg/fonts"
PAGES = SOURCES / "server/ui/static"


def made(
    source: str,
    weight: int,
    letters: Iterable[int] = (*LETTERS, *SIGNS),
    features: Sequence[str] = FEATURES,
) -> Any:  # noqa: ANN401 - of fonttools
    """One weight of the source, with the letters that we need."""
    subset: Any = import_module("fontTools.subset")
    instancer: Any = import_module("fontTools.varLib.instancer")
    whole = import_module("fontTools.ttLib").TTFont(source)
    font = instancer.instantiateVariableFont(whole, {"wght": weight, "opsz": OPTICAL_SIZE})
    options = subset.Options()
    options.layout_features = [*features]
    options.hinting = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["STAT"]  # about axes that one weight has not; Firefox complains
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*letters])
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


def for_pages(source: str, letters: Iterable[int]) -> Any:  # noqa: ANN401 - of fonttools
    """These letters as browsers get them."""
    font = made(source, BOLD, letters, FEATURES_OF_PAGES)
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for each in lookup.SubTable:
            table = each.ExtSubTable if each.LookupType == EXTENSION else each
            if table.LookupType == PAIR:
                _round(table)
    font.flavor = "woff2"
    return font


def _round(pairs: Any) -> None:  # noqa: ANN401 - of fonttools
    single = [pair for first in getattr(pairs, "PairSet", ()) for pair in first.PairValueRecord]
    classes = [pair for first in getattr(pairs, "Class1Record", ()) for pair in first.Class2Record]
    for pair in (*single, *classes):
        if hasattr(pair.Value1, "XAdvance"):
            pair.Value1.XAdvance = KERNING_STEP * round(pair.Value1.XAdvance / KERNING_STEP)


def ranges(letters: Iterable[int]) -> str:
    """The letters as a style sheet has them.

    >>> ranges([0xA1, 0xA2, 0xA3, 0xA6])
    'U+A1-A3, U+A6'
    """
    found: list[list[int]] = []
    for each in sorted(letters):
        if found and each == found[-1][1] + 1:
            found[-1][1] = each
        else:
            found.append([each, each])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in found)


if __name__ == "__main__":
    made(sys.argv[1], BOLD).save(PICTURES / "mauerwerk-serif-bold.ttf")
    made(sys.argv[1], REGULAR).save(PICTURES / "mauerwerk-serif-regular.ttf")
    others = {*LETTERS, *SIGNS} - OF_OUR_LANGUAGES
    for_pages(sys.argv[1], OF_OUR_LANGUAGES).save(PAGES / "mauerwerk-serif.woff2")
    for_pages(sys.argv[1], others).save(PAGES / "mauerwerk-serif-more.woff2")
    sys.stdout.write(f"{ranges(others)}\n")
