"""Conversations on the page: said, answered, clarified, several at once, over a pipe that breaks (service.md,
Endpoint)."""

import signal
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

SUMMARIES = """
globalThis.summaries = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  for (const busy of document.querySelectorAll(".reply[aria-busy] .text")) summaries.push(busy.textContent);
}).observe(document.body, { subtree: true, childList: true }));
"""
RECOGNITION = """
globalThis.SpeechRecognition = class extends EventTarget {
  start() {
    this.dispatchEvent(new Event("start"));
    for (const [transcript, isFinal] of [["打开", false], ["打开客厅空调", true]])
      this.dispatchEvent(
        Object.assign(new Event("result"), { results: [Object.assign([{ transcript }], { isFinal })] }));
    this.dispatchEvent(new Event("end"));
  }
};
"""
NO_RECOGNITION = "delete globalThis.webkitSpeechRecognition; delete globalThis.SpeechRecognition;"


async def test_the_summary_stands_before_the_turn_is_closed(open_page: Any, say: Any) -> None:
    """The token frame's summary is shown as it comes, the closing frame settles it (service.md, Token frame, Closing
    frame)."""
    page = await open_page(init=SUMMARIES)
    turn = await say(page, "小牛，关所有房间的灯")
    await expect(turn.locator(".text")).to_have_text("正在关闭所有房间的照明灯。")
    assert "正在关闭所有房间的照明灯。" in await page.evaluate("summaries")
    await expect(turn.locator(".chip")).to_have_count(4)


ANSWERS = (("客厅", ["客厅"]), ("卧室", ["卧室"]), ("都要", ["客厅", "卧室"]), ("算了", []))


async def test_a_question_is_answered_by_a_tap(open_page: Any, say: Any, device: Any) -> None:
    """The answers that the open question takes are offered; a tap says one, then they are gone (service.md, Token
    frame)."""
    page = await open_page()
    for option, on in ANSWERS:
        await page.click("#home-reset")
        await page.click("#page-new")
        await page.select_option("#local", "卫生间")
        turn = await say(page, "把空调打开")
        await expect(turn.locator(".reply")).to_contain_class("question")
        await turn.get_by_role("button", name=option, exact=True).click()
        await expect(page.locator(".board.current .turn .reply:not([aria-busy])")).to_have_count(2)
        await expect(page.locator(".board.current .options")).to_have_count(0)
        for room in ("客厅", "卧室"):
            pressed = str(room in on).lower()
            await expect(device(page, "空调", room).get_by_role("button")).to_have_attribute("aria-pressed", pressed)


async def test_context_belongs_to_its_page(open_page: Any, say: Any) -> None:
    """Two pages side by side: each has its own page_id, transcript and context; a reply elsewhere is marked as news."""
    page = await open_page()
    await say(page, "小牛，厨房灯是开的吗？")
    await page.click("#page-new")
    turn = await say(page, "关了")
    await expect(turn.locator(".text")).not_to_contain_text("厨房")
    await page.get_by_role("button", name="对话 1", exact=True).click()
    turn = await say(page, "关了")
    await expect(turn.locator(".text")).to_contain_text("厨房")
    await page.click("#beside")
    await expect(page.locator(".board:visible")).to_have_count(2)
    boxes = [await board.bounding_box() for board in await page.locator(".board").all()]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    await page.get_by_role("button", name="关闭对话 2").click()
    await expect(page.locator(".board")).to_have_count(1)
    await expect(page.locator(".board.current .turn")).to_have_count(2)


async def test_the_pipe_is_opened_again(open_page: Any, own_service: Any) -> None:
    """The server dies and comes back: the status says so all along, what was said meanwhile is sent then (service.md,
    Idle connections)."""
    page = await open_page(at=own_service)
    await expect(page.locator("#status")).to_have_text("已连接")
    page.watch.expected.append("net::ERR_CONNECTION_REFUSED")  # what the browser still loads from a dead server
    own_service.stop(signal.SIGKILL)
    await expect(page.locator("#status")).to_have_attribute("data-status", "closed")
    await expect(page.locator("#trouble")).to_be_visible()
    await page.fill("#question", "打开卧室的灯")
    await page.press("#question", "Enter")
    turn = page.locator(".board.current .turn").last
    await expect(turn.locator(".reply")).to_have_attribute("aria-busy", "true")
    own_service.start()
    await page.locator("#trouble button").click()  # pauses between attempts grow; this tries at once
    await expect(turn.locator(".text")).to_contain_text("卧室")
    await expect(page.locator("#status")).to_have_text("已连接")
    await expect(page.locator("#trouble")).to_be_hidden()


async def test_dictation_where_the_browser_has_it(open_page: Any) -> None:
    """What the browser hears goes out as soon as it is final."""
    page = await open_page(init=RECOGNITION)
    await page.click("#dictate")
    await expect(page.locator(".said-by-user")).to_have_text("打开客厅空调")
    await expect(page.locator("#dictate")).to_have_attribute("aria-pressed", "false")


async def test_no_dictation_without_the_browser(open_page: Any) -> None:
    """The button stays away where there is no Web Speech."""
    page = await open_page(init=NO_RECOGNITION)
    await expect(page.locator("#question")).to_be_visible()
    await expect(page.locator("#dictate")).to_be_hidden()


async def test_without_the_instruct_switch_nothing_acts(open_page: Any, say: Any, device: Any) -> None:
    """`instruct: false`: the same reply, no instructs, nothing changes (service.md, Endpoint)."""
    page = await open_page()
    await page.uncheck("#instruct")
    turn = await say(page, "关掉厨房的灯")
    await expect(turn.locator(".reply")).to_contain_class("instruct")
    await expect(device(page, "照明灯", "厨房")).to_contain_class("on")


async def test_a_refusal_is_shown_and_the_conversation_goes_on(open_page: Any, say: Any) -> None:
    """A closing frame with `ret` ≠ 0 is shown as what it is, and the conversation goes on (service.md, Errors)."""
    page = await open_page()
    await page.evaluate("document.getElementById('question').maxLength = 9000")
    await page.fill("#question", "开" * 1500)
    await page.press("#question", "Enter")
    await expect(page.locator(".reply.error")).to_contain_text("1000 个字符")
    turn = await say(page, "打开客厅空调")
    await expect(turn.locator(".reply")).to_contain_class("instruct")


async def test_a_link_carries_a_conversation(open_page: Any, say: Any) -> None:
    """A link names home, place and turns; whoever opens it sees them happen."""
    shared = f"#home=flat25&local={quote('客厅')}&say={quote('小牛，好热')}&say={quote('还是好热')}"
    page = await open_page(shared)
    await expect(page.locator(".turn .reply:not([aria-busy])")).to_have_count(2)
    await expect(page.locator("#home-choice")).to_have_value("flat25")
    await page.click("#share")
    await expect(page.locator("#share")).to_have_text("链接已复制")
    link = await page.evaluate("navigator.clipboard.readText()")
    assert link.split("#")[1].count("say=") == 2
    assert "home=flat25" in link


async def test_stored_conversations_can_be_replayed(open_page: Any) -> None:
    """An example conversation brings its own home and place, on a page of its own."""
    page = await open_page()
    await page.click("#shelf summary")
    await page.get_by_role("button", name="小牛，厨房灯是开的吗？ → 关了 → 再打开").click()
    await expect(page.locator(".board.current .turn .reply:not([aria-busy])")).to_have_count(3)
    await expect(page.locator("#local")).to_have_value("厨房")


async def test_a_token_opens_a_locked_service(open_page: Any, say: Any, locked_service: Any) -> None:
    """`#token=…` goes with the pipe and with HTTP, and out of the address; without it the page stays outside."""
    page = await open_page(at=locked_service)
    await expect(page.locator("#trouble")).to_be_visible()
    page = await open_page("#token=only-for-those-who-know&home=flat25", at=locked_service)
    await expect(page.locator("#status")).to_have_text("已连接")
    assert "token" not in page.url
    await say(page, "大白关掉")
    await expect(page.locator("#why .candidate")).to_contain_text("大白")
