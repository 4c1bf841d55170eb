"""Which language a page speaks; `test_every_page` reads every page in all three."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ("de-AT", "de"),
        pytest.param("it-IT", "it", marks=pytest.mark.thorough),
        pytest.param("fr-FR", "en", marks=pytest.mark.thorough),
    ],
)
def test_a_page_speaks_the_browsers_language(meet: Meet, locale: str, code: str) -> None:
    """Or English, where there is no such language."""
    somebody = meet("", locale=locale)
    somebody.go()

    expect(somebody.page.locator("html")).to_have_attribute("lang", code)
