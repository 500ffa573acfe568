"""A game stepped through in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMPONENTS = """[...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]"""
BOARD = f"{COMPONENTS}.map((one) => one.shadowRoot).find((root) => root.zertz)"


def open_game(page: Page, address: str, game: str, ply: int) -> int:
    """Open a game at a ply; the number of its plies."""
    page.goto(f"{address}/game?id={game}&ply={ply}")
    page.locator(".status b").wait_for()
    return int(page.locator(".controls input").get_attribute("max") or 0)


def marbles(page: Page) -> dict[str, str]:
    """Return the states of the rings that are not vacant."""
    rings: dict[str, str] = page.evaluate(
        f"() => Object.fromEntries([...{BOARD}.querySelectorAll('.ring')].map((ring) => [ring.dataset.ring, ring.dataset.sign]))"
    )
    return {ring: sign for ring, sign in rings.items() if sign != "o"}


def test_keys_step_and_the_url_follows_without_a_word_to_the_server(
    page: Page, address: str, ids: dict[str, str]
) -> None:
    last = open_game(page, address, ids["resigned"], 2)
    assert marbles(page) == {"d4": "W", "d3": "B", "d1": ".", "a1": "."}
    page.wait_for_timeout(1_000)
    steps = (("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 0), ("ArrowLeft", 0), ("End", last), ("ArrowUp", last - 1))
    for key, ply in steps:
        page.keyboard.press(key)
        assert page.locator(".controls input").input_value() == str(ply)
        assert f"ply={ply}" in page.url
    page.keyboard.press("Home")
    assert marbles(page) == {}
    assert page.locator('[data-step="back"]').is_disabled()


def test_the_page_hears_of_the_last_of_many_steps_only(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["long"], 0)
    at_once = page.evaluate(
        f"""() => {{
            window.sent = [];
            const send = (name, value) => window.sent.push([name, value.ply]);
            // The page's own function is set again with each new data, such as the chart that comes later.
            Object.defineProperty({BOARD}.zertz, 'send', {{ get: () => send, set: () => {{}} }});
            for (let step = 0; step < 10; step += 1)
                document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}));
            return [window.sent.length, {BOARD}.zertz.ply];
        }}"""
    )
    assert at_once == [0, 10]
    page.wait_for_function("window.sent.length > 0")
    assert page.evaluate("window.sent") == [["ply", 10]]


@pytest.mark.long
def test_list_slider_and_buttons_step_too(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["long"], 0)
    page.locator('.moves [data-ply="7"]').click()
    assert page.locator(".moves [aria-current]").get_attribute("data-ply") == "7"
    page.locator('[data-step="on"]').click()
    page.locator(".controls input").fill("12")
    assert "ply=12" in page.url
    assert page.locator(".moves [aria-current]").get_attribute("data-ply") == "12"


@pytest.mark.long
def test_a_reload_shows_the_same_ply(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["long"], 5)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1_500)
    page.reload()
    page.locator(".status b").wait_for()
    assert page.locator(".controls input").input_value() == "6"


@pytest.mark.parametrize(
    "view", ["turn", *(pytest.param(view, marks=pytest.mark.long) for view in ("mirrored", "letters", "coordinates"))]
)
def test_how_the_board_lies_is_kept(page: Page, address: str, ids: dict[str, str], view: str) -> None:
    def drawn() -> object:
        return page.evaluate(
            f"""() => {{ const root = {BOARD};
            const table = [...root.querySelector('.table').classList].filter(name => name !== 'charted');  // it comes later
            return [root.querySelector('.turned').getAttribute('transform'), table]; }}"""
        )

    open_game(page, address, ids["large"], 3)
    before, held = drawn(), marbles(page)
    page.locator(f'[data-view="{view}"]').click()
    after = drawn()
    assert after != before
    assert marbles(page) == held
    page.reload()
    page.locator(".status b").wait_for()
    assert drawn() == after


def test_the_position_elsewhere_follows(page: Page, address: str, ids: dict[str, str]) -> None:
    last = open_game(page, address, ids["resigned"], 2)
    page.get_by_role("tab", name="This position elsewhere").click()
    page.get_by_text("other game").first.wait_for()
    page.locator('[data-step="last"]').click()
    page.get_by_text("No other game has this position").wait_for()
    assert f"ply={last}" in page.url
