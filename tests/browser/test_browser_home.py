"""The home on the page: choosing, editing, standing somewhere, devices in live state (service.md, Home, Endpoint)."""

import json
from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHOSEN = """(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd))(
  document.getElementById("editor-text"))"""


async def test_homes_can_be_chosen(open_page: Any) -> None:
    """Each home of the page stands on the plan with all its rooms and devices; the choice is there after a reload."""
    page = await open_page()
    for name, devices, rooms in (("villa120", 120, 17), ("sample8", 8, 4), ("flat25", 25, 7)):
        await page.select_option("#home-choice", name)
        await expect(page.locator(".device")).to_have_count(devices)
        await expect(page.locator(".room")).to_have_count(rooms)
    await page.reload()
    await expect(page.locator("#home-choice")).to_have_value("flat25")
    await expect(page.locator(".device")).to_have_count(25)


async def test_devices_react_to_instructs(open_page: Any, say: Any, device: Any) -> None:
    """The page plays the home: it applies `state`, and the next request carries the new one (service.md, Closing
    frame)."""
    page = await open_page()
    lamp = device(page, "照明灯", "厨房")
    await expect(lamp).to_contain_text("开")
    await say(page, "小牛，关所有房间的灯")
    await expect(lamp).to_contain_text("关")
    await expect(page.locator(".room.lit")).to_have_count(0)
    answer = await say(page, "小牛，厨房灯是开的吗？")
    await expect(answer.locator(".text")).to_contain_text("没有")


async def test_switching_a_device_by_hand_counts(open_page: Any, say: Any, device: Any) -> None:
    """A device switched on the plan is in the state that the next question is answered from."""
    page = await open_page()
    lamp = device(page, "照明灯", "卧室").get_by_role("button")
    await expect(lamp).to_have_attribute("aria-pressed", "false")
    await lamp.click()
    await expect(device(page, "照明灯", "卧室").get_by_role("button")).to_have_attribute("aria-pressed", "true")
    answer = await say(page, "卧室的灯是开的吗？")
    await expect(answer.locator(".text")).to_contain_text("是的")
    await page.click("#home-reset")
    await expect(device(page, "照明灯", "卧室").get_by_role("button")).to_have_attribute("aria-pressed", "false")


async def test_the_room_of_the_user_is_the_default_room(open_page: Any, say: Any, device: Any) -> None:
    """`local` of service.md, Request frame: 开灯 is about the room one stands in, chosen on the plan or in the list."""
    page = await open_page()
    bedroom = page.locator('.room[data-room="卧室"] .stand')
    await bedroom.click()
    await expect(bedroom).to_have_attribute("aria-pressed", "true")
    await expect(page.locator("#local")).to_have_value("卧室")
    turn = await say(page, "开灯")
    await expect(turn.locator(".text")).to_contain_text("卧室")
    await expect(device(page, "照明灯", "卧室")).to_contain_class("on")
    await page.select_option("#local", "卫生间")
    await expect(page.locator('.room[data-room="卫生间"] .stand')).to_have_attribute("aria-pressed", "true")
    turn = await say(page, "开灯")
    await expect(turn.locator(".text")).to_contain_text("卫生间")


async def test_deferred_instructs_wait_on_the_page(open_page: Any, say: Any, device: Any) -> None:
    """Timers fire at the client (service.md): nothing happens now; when the timer fires, the state is applied."""
    page = await open_page()
    hood = device(page, "油烟机", "厨房")
    await say(page, "十分钟后关油烟机")
    await expect(hood).to_contain_text("开")
    await expect(page.locator("#timers li")).to_contain_text("10分钟后")
    await page.locator("#timers button").click()
    await expect(hood).to_contain_text("关")
    await expect(page.locator("#timers li")).to_have_count(0)


async def _edit(page: Any, text: str) -> None:
    await page.click("#home-edit")
    await page.fill("#editor-text", text)
    await page.click("#editor button[type=submit]")


def _line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


SLIPS = (
    ('"layout": [', '"layout" [', 0, "冒号"),
    ('"客厅",', '"客厅"', 1, "逗号"),
    ('"did": "did-3768",', "\"did\": 'did-3768',", 0, "值"),
    ('"did": "did-3768",', "did: 1,", 0, "键"),
)


async def test_a_json_error_is_shown_at_its_position(open_page: Any, homes: Any, paste: Any) -> None:
    """A slip of the pen is named with its line, the line is marked, and the home stays as it was."""
    page = await open_page()
    good = json.dumps(homes("sample8"), ensure_ascii=False, indent=2)
    await page.click("#home-edit")
    for old, new, below, said in SLIPS:
        text = good.replace(old, new, 1)
        await paste(page, text)
        await expect(page.locator("#editor-error")).to_be_empty()
        await page.click("#editor button[type=submit]")
        await expect(page.locator("#editor-error")).to_contain_text(f"第 {_line_of(text, new) + below} 行")
        await expect(page.locator("#editor-error")).to_contain_text(said)
        await expect(page.locator("#editor-lines mark")).to_have_text(str(_line_of(text, new) + below))
    await page.press("#editor-text", "Escape")
    await expect(page.locator("#editor")).to_be_hidden()
    await expect(page.locator(".device")).to_have_count(8)


async def test_a_refused_field_is_shown_at_its_position(open_page: Any, homes: Any, paste: Any) -> None:
    """A 422 names a path; the editor finds its line and puts the cursor there, however the text is laid out."""
    home = homes("sample8")
    home["devices"][3]["device"]["model"] = "nothing"
    page = await open_page()
    await page.click("#home-edit")
    for indent in (2, None):
        text = json.dumps(home, ensure_ascii=False, indent=indent)
        await paste(page, text)
        await page.click("#editor button[type=submit]")
        await expect(page.locator("#editor-error")).to_contain_text("devices[3].device.model")
        await expect(page.locator("#editor-lines mark")).to_have_text(str(_line_of(text, '"nothing"')))
        assert '"nothing"' in await page.evaluate(CHOSEN)


async def test_a_missing_field_is_shown_at_its_parent(open_page: Any, homes: Any) -> None:
    """A path that does not exist is shown at its parent."""
    home = homes("sample8")
    del home["devices"][2]["id"]
    text = json.dumps(home, ensure_ascii=False, indent=2)
    page = await open_page()
    await _edit(page, text)
    line = _line_of(text, '"name": "照明灯",\n      "local": "厨房"') - 1
    await expect(page.locator("#editor-lines mark")).to_have_text(str(line))


async def test_a_users_own_home_is_shown_and_stored(open_page: Any, say: Any, device: Any) -> None:
    """A pasted home that leaves out what may be missing is taken, spoken to, and there again after a reload."""
    own = {
        "model": {"m": {"property": {"power": {"type": "bool"}}}},
        "devices": [
            {"id": "a", "name": "阅读灯", "local": "阁楼", "device": {"model": "m"}},
            {"id": "b", "device": {"model": "m", "state": {"power": True}}},
        ],
    }
    page = await open_page()
    await _edit(page, json.dumps(own))
    await expect(page.locator("#home-choice")).to_have_value("custom")
    await expect(page.locator(".device")).to_have_count(2)
    await page.select_option("#local", "阁楼")
    turn = await say(page, "打开阅读灯")
    await expect(turn.locator(".text")).to_contain_text("阅读灯")
    await expect(device(page, "阅读灯", "阁楼")).to_contain_class("on")
    await page.reload()
    await expect(page.locator("#home-choice")).to_have_value("custom")
    await expect(page.locator(".device")).to_have_count(2)


async def test_a_platforms_own_names_look_like_any_others(open_page: Any, say: Any, device: Any, homes: Any) -> None:
    """service.md, Home: a switch called `on` can be pressed and lights its room; `bri` of 1..254 is a percentage."""
    home = homes("sample8")
    home["model"]["hue"] = {
        "describe": "灯",
        "property": {"on": {"type": "bool"}, "bri": {"type": "uint", "min": 1, "max": 254}},
    }
    state = {"on": False, "bri": 128}
    home["devices"] = [{"id": "h", "name": "落地灯", "local": "客厅", "device": {"model": "hue", "state": state}}]
    page = await open_page()
    await _edit(page, json.dumps(home, ensure_ascii=False))
    lamp = device(page, "落地灯", "客厅")
    await expect(lamp).to_contain_text("关 · 50%")
    await lamp.get_by_role("button").click()
    await expect(lamp).to_contain_text("开 · 50%")
    await expect(page.locator(".room.lit")).to_have_count(1)
    await say(page, "关灯")
    await expect(lamp).to_contain_text("关 · 50%")
