"""The course of a training as a picture."""

from xml.etree import ElementTree as ET

from mauerwerk.learn.curves import render


def test_each_figure_has_a_panel_with_its_ends() -> None:
    """A curve goes from left to right, and high values are at the top."""
    history = [{"minutes": 1.0, "wins": 0.25}, {"minutes": 2.0, "wins": 0.75}]

    picture = ET.fromstring(render("A <game>", history, {"wins": "wins & more"}))  # noqa: S314 - ours

    texts = [each.text for each in picture.iter() if each.text and each.text.strip()]
    assert {"A <game>", "wins & more", "0.75", "0.25", "2 min"} <= set(texts)
    (line,) = (each for each in picture.iter() if each.tag.endswith("polyline"))
    (left, low), (right, high) = (
        map(float, place.split(",")) for place in line.attrib["points"].split()
    )
    assert left < right
    assert high < low


def test_a_training_that_has_just_begun_has_a_picture_too() -> None:
    """Without any curve."""
    assert "polyline" in render("A game", [], {"wins": "wins"})
