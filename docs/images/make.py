"""Takes the pictures of the playground that the documents show: `python docs/images/make.py`.

A real server, a real Chromium, the same conversations every time.
"""

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

MOST_BYTES = 200_000
HERE = Path(__file__).parent
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
FLAT = ("flat25", "客厅", ["小牛，好热", "还是好热", "除了厨房，灯全关掉", "把床头灯打开，亮度30%", "打开空调"])
VILLA = ("villa120", "一楼客厅", ["打开老伙计", "如果一楼客厅温度高于28度就打开柜机", "二楼书房的台灯调到50%"])
DESK = [
    "我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗？",
    "我想挂李四医生的号。",
    "明天下午的。",
    "医保报销怎么走？",
]


@asynccontextmanager
async def server() -> AsyncIterator[str]:
    """A server of our own; its address."""
    command = ("-m", "tingdong", "serve", "--host", "127.0.0.1", "--port", "0")
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stderr=PIPE)
    assert process.stderr is not None
    async for line in process.stderr:
        if b'"listening"' in line:
            yield f"http://127.0.0.1:{json.loads(line)['port']}/"
            break
    process.terminate()
    await process.communicate()


async def opened(browser: Browser, url: str, scheme: str, options: dict[str, Any]) -> Page:
    """The page in a fresh profile, without motion."""
    context = await browser.new_context(color_scheme=scheme, reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(url)
    return page


async def home(browser: Browser, url: str, told: tuple[str, str, list[str]], scheme: str, options: Any) -> Page:
    """A conversation with a home, to its last answer and record."""
    name, local, turns = told
    query = urlencode([("home", name), ("local", local), *(("say", turn) for turn in turns)])
    page = await opened(browser, f"{url}#{query}", scheme, options)
    await page.locator(".board.current .turn").nth(len(turns) - 1).locator(".reply:not([aria-busy])").wait_for()
    await page.locator("#why .frame").last.wait_for(state="attached")
    return page


async def desk(browser: Browser, url: str, count: int, scheme: str, options: Any) -> Page:
    """A conversation with the front desk."""
    page = await opened(browser, f"{url}#tab=hospital", scheme, options)
    for number, text in enumerate(DESK[:count]):
        await page.fill("#hospital-question", text)
        await page.press("#hospital-question", "Enter")
        await page.locator("#panel-hospital .turn").nth(number).locator(".reply:not([aria-busy])").wait_for()
    await page.evaluate("document.activeElement.blur()")
    return page


async def taken(page: Page) -> Image.Image:
    return Image.open(BytesIO(await page.screenshot())).convert("RGB")


def save(name: str, picture: Image.Image) -> None:
    """Writes a picture; one that would be too large gets 256 colours."""
    picture.save(HERE / name, optimize=True)
    if (HERE / name).stat().st_size > MOST_BYTES:
        picture.quantize(256, kmeans=16, dither=Image.Dither.NONE).save(HERE / name, optimize=True)
    print(f"{name}: {(HERE / name).stat().st_size:,} bytes")


async def phones(browser: Browser, url: str) -> Image.Image:
    """Four views of a phone, two of them dark, beside each other."""
    light = await home(browser, url, FLAT, "light", PHONE)
    shots = [await taken(light)]
    await light.tap(".bottom [data-view=plan]")
    shots.append(await taken(light))
    dark = await home(browser, url, VILLA, "dark", PHONE)
    await dark.tap(".bottom [data-view=why]")
    shots.append(await taken(dark))
    front = await desk(browser, url, 2, "dark", PHONE)
    await front.tap(".bottom [data-view=plan]")
    shots.append(await taken(front))
    sheet = Image.new("RGB", (len(shots) * 406 - 16, 844), "#8a949c")
    for index, shot in enumerate(shots):
        sheet.paste(shot.resize((390, 844), Image.Resampling.LANCZOS), (index * 406, 0))
    return sheet


async def main() -> None:
    """Takes every picture."""
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    async with server() as url, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=binary, args=["--no-sandbox", "--disable-gpu"])
        save("home-light.png", await taken(await home(browser, url, FLAT, "light", DESKTOP)))
        save("home-dark.png", await taken(await home(browser, url, VILLA, "dark", DESKTOP)))
        save("hospital-light.png", await taken(await desk(browser, url, 4, "light", DESKTOP)))
        save("phone.png", await phones(browser, url))
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
