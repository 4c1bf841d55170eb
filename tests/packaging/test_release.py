"""What `make release` refuses, and what it writes."""

import click
import pytest
import release
from release import CHANGELOG, CITATION, VERSION, plan, released, section

PACKAGE = '"""Walls."""\n\n__version__ = "0.2.0"\n'
EMPTY = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-18\n\n- Walls.\n"
NEWS = EMPTY.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- Gates.\n")


def decide(
    version: str, *, changes: str = "", tags: str = "v0.2.0", changelog: str = NEWS
) -> release.Release:
    """The plan in a tree of version 0.2.0."""
    return plan(version, changes=changes, tags=tags.split(), package=PACKAGE, changelog=changelog)


def test_a_newer_version_takes_what_is_unreleased() -> None:
    assert decide("0.3.0") == release.Release(
        "0.3.0", prepared=False, notes="### Added\n\n- Gates."
    )
    assert decide("0.10.0").version == "0.10.0"


@pytest.mark.parametrize(
    ("version", "changes", "changelog", "reason"),
    [
        ("0.3.0", " M README.md", NEWS, "the tree has changes; commit them first"),
        ("0.2.0", "", NEWS, "0.2.0 is not newer than 0.2.0"),
        ("0.1.9", "", NEWS, "0.1.9 is not newer than 0.2.0"),
        ("0.3", "", NEWS, "'0.3' is not a version such as 1.2.3"),
        ("0.3.0", "", EMPTY, "CHANGELOG.md has nothing under Unreleased"),
    ],
)
def test_a_release_is_refused_in_one_line(
    version: str, changes: str, changelog: str, reason: str
) -> None:
    with pytest.raises(click.ClickException) as refused:
        decide(version, changes=changes, changelog=changelog)

    assert refused.value.message == reason


def test_a_version_without_a_tag_can_be_released_as_it_is() -> None:
    """Unless there is news that it does not mention."""
    assert decide("0.2.0", tags="", changelog=EMPTY) == release.Release(
        "0.2.0", prepared=True, notes="- Walls."
    )
    with pytest.raises(click.ClickException, match=r"move what is under Unreleased to 0\.2\.0"):
        decide("0.2.0", tags="")
    with pytest.raises(click.ClickException, match=r"says nothing about 0\.2\.0"):
        decide("0.2.0", tags="", changelog="## [Unreleased]\n")


def test_all_files_get_the_version() -> None:
    """And the changelog a new section for what comes next."""
    citation = "title: Walls\nversion: 0.2.0\ndate-released: 2026-11-18\nlicense: Apache-2.0\n"
    texts = {CHANGELOG: NEWS, VERSION: PACKAGE, CITATION: citation}

    written = released(texts, "0.3.0", "2027-01-02")

    assert release.current(written[VERSION]) == "0.3.0"
    assert section(written[CHANGELOG], "Unreleased") == ""
    assert section(written[CHANGELOG], "0.3.0") == "### Added\n\n- Gates."
    assert section(written[CHANGELOG], "0.2.0") == "- Walls."
    assert "## [0.3.0] - 2027-01-02\n" in written[CHANGELOG]
    assert written[CITATION] == (
        "title: Walls\nlicense: Apache-2.0\nversion: 0.3.0\ndate-released: 2027-01-02\n"
    )
