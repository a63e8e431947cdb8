"""What a person reads on the page: words, no code of the wire. The page at every width, with a token, and `/docs`."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOMES = sorted((Path(__file__).parents[1] / "corpus" / "homes").glob("*.json"))
RAW = re.compile(r"PT\d|RRULE|BYDAY|T\d\d:\d\d|>\d+C\b|[a-z]+_[a-z]+|\bnew focus\b|true|false|\{|\[object")
READ = ".face .said, .timers, .reply, #why .candidate small"
WIDTH = "document.documentElement.scrollWidth"


async def _fits(page: Any) -> bool:
    return bool(await page.evaluate(f"{WIDTH} <= innerWidth"))


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_moments_are_said_in_words(open_page: Any, say: Any, language: str) -> None:
    """A delay, a time of day, a repetition and a condition: on the plan and in the conversation, in both languages."""
    page = await open_page("#home=flat25")
    if language == "en":
        await page.click("#language")
    await page.select_option("#local", "客厅")
    for text in (
        "十分钟后关灯",
        "晚上十点打开电视",
        "每天早上七点打开窗帘",
        "工作日早上七点打开电视",
        "卧室温度超过28度就打开空调",
    ):
        await say(page, text)
    said = await page.locator("#timers li").all_inner_texts()
    wanted = {
        "zh": ["10分钟后", "22:00", "每天07:00", "工作日07:00", "高于28°C"],
        "en": ["in 10 min", "22:00", "every day at 07:00"],
    }
    for words in wanted[language]:
        assert any(words in line for line in said), (words, said)
    shown = await page.locator(".timers, .board.current").all_inner_texts()
    assert [line for line in shown if re.search(r"PT\d|RRULE|T\d\d:\d\d|\d+C\b", line)] == []


async def test_events_are_said_in_words(open_page: Any) -> None:
    """What a sensor tells (`客厅有人=否`) is a sentence in both languages, as are a number and the state of a thing."""
    page = await open_page()
    told = "whens => import('/js/said.js').then(({ moment }) => whens.map(moment))"
    whens = ["客厅有人=否", "卫生间漏水=是", "卧室温度>28C", "大门=打开"]
    assert await page.evaluate(told, whens) == ["客厅没人时", "卫生间漏水时", "卧室温度高于28°C时", "大门是打开时"]
    await page.click("#language")
    assert (await page.evaluate(told, whens))[:2] == ["once nobody is in 客厅", "once water leaks in 卫生间"]


async def test_states_are_said_in_words(open_page: Any, paste: Any) -> None:
    """Whatever a home's properties are called, a card says them by words: no name of the wire, no bare choice."""
    page = await open_page()
    for home in HOMES:
        await page.click("#home-edit")
        await paste(page, home.read_text(encoding="utf-8"))
        await page.click("#editor-form button[type=submit]")
        await expect(page.locator("#editor")).to_be_hidden()
        said = await page.locator(".face .said").all_inner_texts()
        assert [line for line in said if RAW.search(line)] == [], home.name


async def test_reasons_are_said_in_words(open_page: Any, say: Any) -> None:
    """What was done and chosen: no code of the wire and no name of a property (`power:on`)."""
    page = await open_page("#home=flat25")
    await page.select_option("#local", "卧室")
    for text in ("床头灯打开，亮度30%", "空调调到26度", "十分钟后关灯", "如果有人经过客厅就开灯"):
        await say(page, text)
        await expect(page.locator("#why .candidate").first).to_be_visible()
        read = await page.locator(READ).all_inner_texts()
        assert [line for line in read if RAW.search(line) or re.search("[a-z]{3,}", line)] == [], text


async def test_the_front_desk_says_why_in_words(open_page: Any) -> None:
    """Operations and their reasons are told in the page's language, never as the wire has them."""
    page = await open_page("#tab=hospital")
    await page.click("#tab-hospital")
    for text in ("我头痛想挂号，停车怎么收费", "还是挂骨科吧", "先不缴费了，停车的事回头再说"):
        await page.fill("#hospital-question", text)
        await page.press("#hospital-question", "Enter")
        await expect(page.locator("#panel-hospital .reply").last).not_to_have_attribute("aria-busy", "true")
    told = await page.locator(".op").all_inner_texts()
    assert told
    assert [line for line in told if re.search("[A-Za-z]{3,}", line)] == []


async def test_side_by_side_says_that_it_is_on_and_fits(open_page: Any, say: Any) -> None:
    """At 1440 two conversations stand beside each other whole, and the button says so in both ways."""
    page = await open_page(viewport={"width": 1440, "height": 900})
    await say(page, "打开空调")
    await page.click("#beside")
    button = page.locator("#beside")
    await expect(button).to_have_attribute("aria-pressed", "true")
    await expect(button).to_have_text("并排：开")
    await expect(page.locator(".board:visible")).to_have_count(2)
    assert await _fits(page)
    assert await page.evaluate("boards.scrollWidth <= boards.clientWidth")
    await page.click("#beside")
    await expect(button).to_have_text("并排")


async def test_nothing_is_wider_than_the_narrowest_phone(open_page: Any, say: Any) -> None:
    """320 px, both languages, every view and both tabs."""
    page = await open_page("#home=flat25", viewport={"width": 320, "height": 640}, is_mobile=True, has_touch=True)
    await page.select_option("#local", "卫生间")
    await say(page, "打开空调")
    for _ in range(2):
        for view in ("plan", "why", "talk"):
            await page.tap(f".bottom [data-view={view}]")
            assert await _fits(page), view
        await page.tap("#tab-hospital")
        assert await _fits(page)
        await page.tap("#tab-home")
        await page.tap("#language")


async def test_a_token_is_asked_for(open_page: Any, say: Any, locked_service: Any) -> None:
    """Without a token the page asks; a wrong one is refused with a word, the right one opens the page."""
    page = await open_page(at=locked_service)
    dialog = page.locator("#token")
    await expect(dialog).to_be_visible()
    await dialog.locator("input").fill("not-this-one")
    await dialog.get_by_role("button").click()
    await expect(dialog.locator(".error")).to_have_text("这个令牌不对。")
    await dialog.locator("input").fill("only-for-those-who-know")
    await dialog.get_by_role("button").click()
    await expect(page.locator("#status")).to_have_text("已连接")
    await expect(dialog).to_be_hidden()
    turn = await say(page, "打开卧室的灯")
    await expect(turn.locator(".text")).to_contain_text("卧室")


async def test_the_http_api_can_be_tried_at_docs(open_page: Any) -> None:
    """`/docs` lists every operation of the OpenAPI document and sends one; nothing is asked of anybody else."""
    page = await open_page()
    await page.goto(page.url.partition("#")[0] + "docs")
    await expect(page.locator(".operation").first).to_be_visible()
    operation = page.locator(".operation[data-operation=parse]")
    await operation.locator("summary").click()
    await operation.get_by_role("button", name="发送").click()
    await expect(operation.locator("[role=status] .num")).to_have_text(re.compile("^200 "))
    await expect(operation.locator("[role=status] .code-block")).to_contain_text("设置温度=26C")
    for name in ("understand", "hospitalTurn", "domain"):
        await page.locator(f".operation[data-operation={name}] summary").click()
        await page.locator(f".operation[data-operation={name}]").get_by_role("button", name="发送").click()
        await expect(page.locator(f".operation[data-operation={name}] [role=status] .num")).to_have_text(
            re.compile("^200 ")
        )
    assert await _fits(page)
