"""A real Chromium before a real `tingdong serve`: one server and one browser for all tests, a fresh profile for each.

Every page is watched: an uncaught error, a violation of the Content-Security-Policy, or a request to anybody else
fails the test that saw it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

BINARIES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",  # continuous integration runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """
{
globalThis.violations = [];
globalThis.shifts = [];
globalThis.longTasks = [];
document.addEventListener("securitypolicyviolation", (event) =>
  violations.push(`${event.violatedDirective} ${event.blockedURI}`));
const observe = (type, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
const box = (rect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round);
const place = ({ node, previousRect, currentRect }) =>
  `${node?.nodeName}#${node?.id}.${node?.className} ${box(previousRect)} -> ${box(currentRect)}`;
observe("layout-shift", (entry) => {
  if (!entry.hadRecentInput) shifts.push([entry.value, ...entry.sources.map(place)]);
});
observe("longtask", (entry) => longTasks.push(entry.duration));
}
"""
PATIENCE_MS = 30_000


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    binary = next(filter(None, map(shutil.which, BINARIES)), None)
    if binary is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium fonts-noto-cjk)")
    from playwright.async_api import async_playwright, expect

    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=binary, args=ARGUMENTS)
        yield running
        await running.close()


class Watch:
    """What must not happen on a page."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.expected = ["WebSocket connection", "the server responded with a status of 4"]
        self.errors: list[str] = []
        self.strangers: list[str] = []

    def page(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type == "error" and not any(words in message.text for words in self.expected):
            self.errors.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.origin, "blob:", "data:")):
            self.strangers.append(request.url)


Open = Callable[..., Awaitable[Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, service: Any) -> AsyncIterator[Open]:
    """Opens the playground in a fresh profile: `await open_page("#home=flat25", init=script, **context_options)`."""
    from playwright.async_api import expect

    opened: list[tuple[BrowserContext, Page, Watch]] = []

    async def go(hash_: str = "", *, init: str = "", at: Any = None, **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}, "permissions": ["clipboard-read"], **options}
        context = await browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        url = (at or service).url
        watch = Watch(url)
        watch.page(page)
        page.watch = watch  # type: ignore[attr-defined]
        opened.append((context, page, watch))
        await page.add_init_script(WATCH + init)
        await page.goto(url + hash_)
        await expect(page.locator(".device").first).to_be_attached()
        return page

    yield go
    for context, page, watch in opened:
        violations = await page.evaluate("violations")
        await context.close()
        assert violations == []
        assert watch.errors == []
        assert watch.strangers == []


async def say(page: Page, text: str) -> Any:
    """Says something on the current page; the locator of its turn, once the turn is closed."""
    from playwright.async_api import expect

    turns = page.locator(".board.current .turn")
    count = await turns.count()
    await page.fill("#question", text)
    await page.press("#question", "Enter")
    turn = turns.nth(count)
    await expect(turn.locator(".reply:not([aria-busy])")).to_be_visible()
    return turn


@pytest.fixture(name="say")
def _say() -> Any:
    return say


async def paste(page: Page, text: str) -> None:
    """Replaces what stands in the editor, at once (typing thousands of characters is the browser's time, not ours)."""
    await page.locator("#editor-text").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", text
    )


@pytest.fixture(name="paste")
def _paste() -> Any:
    return paste


def device(page: Page, name: str, room: str) -> Any:
    """A device's card on the plan."""
    return page.locator(f'.room[data-room="{room}"] .device', has=page.get_by_text(name, exact=True))


@pytest.fixture(name="device")
def _device() -> Any:
    return device


@pytest.fixture
def homes() -> Callable[[str], Any]:
    """A home of the corpus, to be changed at will."""
    folder = Path(__file__).parents[1] / "corpus" / "homes"
    return lambda name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
