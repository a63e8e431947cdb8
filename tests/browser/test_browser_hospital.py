"""The hospital tab: cards between states, slots, relations, operations over time (hospital.md, Relations, Frames,
Example)."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

NO_DESK = """
const Real = globalThis.WebSocket;
globalThis.WebSocket = class extends Real {
  constructor(url, protocols) { super(url.replace("/agent/hospital/stream", "/agent/nowhere"), protocols); }
};
"""


async def _tell(page: Page, text: str) -> Any:
    turns = page.locator("#panel-hospital .turn")
    count = await turns.count()
    await page.fill("#hospital-question", text)
    await page.press("#hospital-question", "Enter")
    await expect(turns.nth(count).locator(".reply:not([aria-busy])")).to_be_visible()
    return turns.nth(count)


def _cards(page: Page, lane: str, column: str) -> Any:
    return page.locator(f'.lane-column[data-lane="{lane}"][data-column="{column}"] .task')


async def test_cards_move_through_a_dialogue(open_page: Any) -> None:
    """Contested tasks, a choice, a slot, a queued question, the end: each card stands where its frame stands
    (hospital.md, Example)."""
    page = await open_page("#tab=hospital")
    await _tell(page, "我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗？")
    await expect(_cards(page, "medical", "focus")).to_have_count(2)
    await expect(page.locator(".task.contested")).to_have_count(2)
    await expect(_cards(page, "admin", "queued")).to_contain_text("停车")
    await _tell(page, "我想挂李四医生的号。")
    focus = _cards(page, "medical", "focus")
    await expect(focus).to_have_attribute("data-agent", "doc-direct")
    await expect(_cards(page, "medical", "done")).to_have_attribute("data-agent", "triage")
    await expect(focus.locator(".slot", has_text="李四")).to_be_visible()
    await expect(focus.locator(".slot", has_text="下午")).to_have_count(0)
    await _tell(page, "明天下午的。")
    await expect(focus.locator(".slot", has_text="下午")).to_be_visible()
    await _tell(page, "医保报销怎么走？")
    await expect(_cards(page, "admin", "queued")).to_have_count(2)
    await expect(page.locator(".timeline > li")).to_have_count(4)


async def test_a_correction_is_shown_at_the_desk(open_page: Any) -> None:
    """A department that was garbled is told with what was understood (docs/hearing.md)."""
    page = await open_page("#tab=hospital")
    await _tell(page, "挂小化内科的号")
    heard = page.locator("#panel-hospital ul.heard li")
    await expect(heard.locator("del")).to_have_text("小")
    await expect(heard.locator("ins")).to_have_text("消")


async def test_the_reading_of_a_turn_is_drawn(open_page: Any) -> None:
    """Segments in their order with an arc for every relation; ops in the order of their priority (hospital.md,
    Segments, Relations, Ops)."""
    page = await open_page("#tab=hospital")
    await _tell(page, "我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗？")
    await expect(page.locator(".segments li")).to_have_count(3)
    arcs = page.locator(".relations path")
    await expect(arcs).to_have_count(3)
    await expect(page.locator(".relations path.exclusive")).to_have_count(1)
    for box in [await arc.bounding_box() for arc in await arcs.all()]:
        assert box
        assert box["height"] > 20
    priorities = [int(text) for text in await page.locator(".timeline > li:last-child .priority").all_inner_texts()]
    assert priorities == sorted(priorities)
    await expect(page.locator(".op[data-op=clarify]")).to_contain_text("分诊 | 医生挂号")


@pytest.mark.parametrize(("choice", "agent"), [("前一个", "triage"), ("后一个", "doc-direct")])
async def test_a_clarify_is_answered_by_a_tap(open_page: Any, choice: str, agent: str) -> None:
    """The rivals are offered with what they are about; a tap chooses (hospital.md, Relations, clarify)."""
    page = await open_page("#tab=hospital")
    turn = await _tell(page, "我头痛想挂号，还有李四医生明天出诊吗？")
    await turn.get_by_role("button", name=re.compile(choice)).click()
    await expect(_cards(page, "medical", "focus")).to_have_count(1)
    await expect(_cards(page, "medical", "focus")).to_have_attribute("data-agent", agent)
    await expect(page.locator("#panel-hospital .turn .options")).to_have_count(0)


async def test_an_emergency_is_highlighted(open_page: Any) -> None:
    """A red flag is shown as an alarm with what decided it; no card is made (hospital.md, Safety)."""
    page = await open_page("#tab=hospital")
    turn = await _tell(page, "突然胸口压着疼，出冷汗，喘不上气")
    await expect(turn.locator(".reply")).to_contain_text("120")
    await expect(turn.locator(".reply")).to_contain_class("error")
    await expect(page.locator(".part.alarm")).to_contain_text("急症")
    await expect(page.locator(".task")).to_have_count(0)


async def test_hostile_words_show_as_text_here_too(open_page: Any) -> None:
    """Law 4 holds on this tab: a slot or summary with markup is text."""
    page = await open_page("#tab=hospital")
    turn = await _tell(page, "我头痛想挂号<img src=x onerror=globalThis.pwned=1>")
    await expect(turn.locator(".said-by-user")).to_have_text("我头痛想挂号<img src=x onerror=globalThis.pwned=1>")
    assert await page.evaluate("globalThis.pwned") is None


async def test_a_service_without_a_desk_is_told(open_page: Any, say: Any) -> None:
    """Where the hospital's path is refused the tab says so, and the home goes on working."""
    page = await open_page("#tab=hospital", init=NO_DESK)
    await expect(page.locator("#panel-hospital .trouble")).to_contain_text("没有开通导诊台")
    await page.click("#tab-home")
    turn = await say(page, "打开客厅空调")
    await expect(turn.locator(".reply")).to_contain_class("instruct")


async def test_a_new_conversation_starts_empty(open_page: Any) -> None:
    """A new page has no tasks, no turns, and its own page_id."""
    page = await open_page("#tab=hospital")
    await _tell(page, "我要缴费")
    await expect(page.locator(".task")).to_have_count(1)
    await page.locator("#panel-hospital").get_by_role("button", name="新对话").click()
    await expect(page.locator(".task")).to_have_count(0)
    await _tell(page, "办完了")
    await expect(page.locator(".task")).to_have_count(0)
