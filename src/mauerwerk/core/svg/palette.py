"""The colours, fonts and styles of all drawings, light and dark."""

import re
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree as ET

_COLOURS: Final = """
table #E8DDCC #1F1A16 | table-lit #F6F0E5 #30281F | paper #FCF8F0 #2E2722 | paper-2 #F2EADD #25201B
card #FCF8F0 #463B31 | card-sky #F5ECDA #E6DBC5 | die #FCF8F0 #E9DDC8
tray #CDB896 #332A22 | tray-deep #9C845E #5A4A3A | tray-ink #2A211A #F3E9DB
ink #2A211A #F3E9DB | ink-2 #5B4D40 #C6B8A5 | mortar #D5C8B4 #453B33 | mortar-2 #8A7963 #917F6A
brick #A3432B #B8553D | brick-lit #BC5B40 #CB6C51 | brick-deep #6F2A19 #6A2A1B
on-brick #FFF9F0 #FFF9F0 | stone #E3D9C9 #40372F | stone-deep #B4A48C #1A1613
chalk #FFFBEF #FFF8E6 | chalk-2 #E9E3D2 #E2D9C5 | glow #FFE08A #FFD67A | focus #0E4A86 #9BD0FF
slate #3A413F #262B2A | moss-2 #DDE4CC #55613F | clay-2 #F0D9CB #70452F
sea #446D7B #24414C | sea-2 #5D8692 #355864 | foam #CFE1E0 #6D949B | wave-ink #3F7686 #7FB0BC
city #EADBBD #A8987A | city-line #BFA97F #857455 | hinter #7F8A64 #3E4532 | groove #3B2A1A #120C08
reg0 #86956A #56623F | reg1 #B08A45 #7A6336 | reg2 #AC7C64 #744D3C
cloth #687560 #363E33 | sky #F3E8D2 #2B3038 | sun #F4D79A #E9DDBF | ground #566240 #262B1E
hill-1 #B4BC92 #364038 | hill-2 #87956A #465039
wood #DDB47C #CDA36B | wood-deep #B58650 #9C7143 | wood-line #6B4526 #4A2E18
brick-piece #B4553A #BF6146 | brick-piece-deep #642616 #3A140B | brick-joint #F0D9BE #F0D9BE
piece-line #3A2A1E #1D140E | shadow 70,44,20 0,0,0 | cast .28 .45
t-black #3A3532 #45403C | t-black-side #171412 #221E1B | t-black-floor #25211F #2E2A27
t-black-line #3A2A1E #B9AC99 | t-grey-line #3A2A1E #1D140E | t-white-line #3A2A1E #1D140E
"""


PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    name: (light, dark)
    for name, light, dark in (
        entry.split() for line in _COLOURS.strip().splitlines() for entry in line.split("|")
    )
}
"""The colours by name, light and dark. In a drawing `var(--brick)` is the one of its theme."""


_FONTS: Final = (
    '--serif:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",P052,"Book Antiqua",'
    "Georgia,serif;"
    '--sans:system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;'
)


STYLE: Final = """
.mauerwerk{display:block;max-width:100%;height:auto;color:var(--ink);font-family:var(--sans);\
font-variant-numeric:lining-nums tabular-nums}
.mauerwerk text{pointer-events:none}
.mauerwerk .lift{filter:drop-shadow(2px 3px 2px rgba(var(--shadow),var(--cast)))}
.mauerwerk .glide{transition:transform .4s ease-out}
.mauerwerk .target{cursor:pointer;outline:none}
.mauerwerk .hit{fill:transparent}
.mauerwerk .chalk{stroke:var(--chalk);stroke-width:2.6;stroke-dasharray:6 4.5;\
stroke-linejoin:round;stroke-linecap:round}
.mauerwerk .glow{filter:drop-shadow(0 0 2px var(--glow)) drop-shadow(0 0 7px var(--glow));\
animation:mauerwerk-breathe 2.4s ease-in-out infinite}
.mauerwerk .halo{animation:mauerwerk-breathe 2.4s ease-in-out infinite}
.mauerwerk .target:hover .chalk{stroke-dasharray:none;stroke-width:4}
.mauerwerk .target:hover .glow{animation:none}
.mauerwerk .target:focus-visible .hit{stroke:var(--focus);stroke-width:3}
@keyframes mauerwerk-breathe{50%{opacity:.62}}
@media (prefers-reduced-motion:reduce){.mauerwerk *{animation:none!important;\
transition:none!important}}
"""


_COLOUR: Final = re.compile(r"var\(--([\w-]+)")


def palette_of(*parts: ET.Element) -> str:
    """The colours these parts speak of, as CSS: the reader's theme unless `data-theme` is set."""
    values = (value for part in parts for each in part.iter() for value in each.attrib.values())
    spoken = set(_COLOUR.findall(" ".join([STYLE, *values])))
    light, dark = (
        "".join(f"--{name}:{pair[theme]};" for name, pair in PALETTE.items() if name in spoken)
        for theme in (0, 1)
    )
    return (
        f".mauerwerk{{{_FONTS}{light}}}\n"
        "@media (prefers-color-scheme:dark)"
        f"{{.mauerwerk:not([data-theme=light],[data-theme=light] *){{{dark}}}}}\n"
        f".mauerwerk[data-theme=dark],[data-theme=dark] .mauerwerk{{{dark}}}"
    )
