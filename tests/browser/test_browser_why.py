"""The decision record of a turn, its frames to take away, and the report (architecture, One request)."""

import json
import re
import shlex
from typing import Any

import httpx
import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _part(page: Any, title: str) -> Any:
    return page.locator("#why .part", has=page.get_by_role("heading", name=title))


async def test_the_record_of_a_turn(open_page: Any, say: Any) -> None:
    """Mentions in the sentence, commands, rule, candidates with bars, YAML against the whole home, stages."""
    page = await open_page("#home=villa120")
    await say(page, "小牛，打开二楼书房的台灯")
    marks = page.locator("#why .sentence mark")
    await expect(marks.filter(has_text="打开")).to_have_attribute("data-kind", "action")
    await expect(marks.filter(has_text="台灯")).to_have_attribute("data-kind", re.compile("name|device"))
    spoken = "".join(
        await page.locator("#why .sentence").evaluate("p => [...p.childNodes].map(n => n.firstChild?.data ?? n.data)")
    )
    assert spoken == "小牛，打开二楼书房的台灯"
    await expect(page.locator("#why .command").first).to_contain_text("打开-")
    await expect(await _part(page, "决定")).to_contain_text("二楼书房台灯")
    candidate = page.locator("#why .candidate")
    await expect(candidate).to_have_count(1)
    await expect(candidate).to_contain_text("二楼书房台灯")
    share = float((await candidate.locator(".bar-of > span").evaluate("s => s.style.width")).rstrip("%")) / 100
    assert share == pytest.approx(float(await candidate.locator(".num").inner_text()), abs=0.01)
    injected, whole = [
        int(re.sub(r"\D", "", text)) for text in await page.locator("#why .tokens .num").all_inner_texts()
    ]
    assert 0 < injected * 5 < whole
    await expect(await _part(page, "YAML")).to_contain_text("name: 台灯")
    assert await page.locator("#why .legend li").count() >= 4


async def test_a_correction_is_shown_with_the_original_text(open_page: Any, say: Any) -> None:
    """A repair stands in the record with what was heard and how sure it is; a plain sentence has none."""
    page = await open_page("#home=villa120")
    await say(page, "打开二楼书房的台登")
    told = await _part(page, "听成了什么")
    await expect(told).to_contain_text("打开二楼书房的台灯")
    change = told.locator("li")
    await expect(change).to_have_attribute("data-kind", "repaired")
    await expect(change.locator("del")).to_have_text("登")
    await expect(change.locator("ins")).to_have_text("灯")
    await expect(change).to_contain_text(re.compile(r"\d+%"))
    await say(page, "关闭二楼书房的台灯")
    await expect(page.locator("#why .sentence")).to_contain_text("关闭")
    await expect(page.locator("#why .heard")).to_have_count(0)


async def test_every_turn_keeps_its_record(open_page: Any, say: Any) -> None:
    """A reply that is chosen shows its own record again, also of an earlier turn."""
    page = await open_page()
    first = await say(page, "打开客厅空调")
    await say(page, "厨房灯是开的吗？")
    await expect(page.locator("#why .sentence")).to_contain_text("厨房")
    await first.locator(".reply").click()
    await expect(page.locator("#why .sentence")).to_contain_text("客厅")
    await expect(first).to_contain_class("selected")


async def test_a_turn_from_context_is_explained_from_context(open_page: Any, say: Any) -> None:
    """关了 after a question about a lamp: what was completed is told, the candidate is that lamp (service.md,
    Dialogue)."""
    page = await open_page()
    await say(page, "小牛，厨房灯是开的吗？")
    await say(page, "关了")
    await expect(await _part(page, "决定")).to_contain_text("厨房照明灯")
    await expect(page.locator("#why .candidate")).to_contain_text("厨房照明灯")


async def test_frames_can_be_copied(open_page: Any, say: Any, service: Any) -> None:
    """The raw frames as they went over the wire; the copied curl gets the same answer from the same service."""
    page = await open_page()
    await say(page, "小牛，关所有房间的灯")
    frames = page.locator("#why .frame")
    await expect(frames).to_have_count(3)
    assert [await frame.get_attribute("data-way") for frame in await frames.all()] == ["sent", "received", "received"]
    await frames.nth(2).locator("summary").click()
    await frames.nth(2).get_by_role("button", name="复制 JSON").click()
    await expect(frames.nth(2).get_by_role("button")).to_have_text("已复制")
    closing = json.loads(await page.evaluate("navigator.clipboard.readText()"))
    assert closing["payload"]["finish"] is True
    await page.get_by_role("button", name="复制 curl").click()
    await expect(page.get_by_role("button", name="已复制")).to_have_count(2)
    words = shlex.split(await page.evaluate("navigator.clipboard.readText()"))
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(words[2], content=words[-1].encode(), headers={"content-type": "application/json"})
    assert words[2] == f"{service.url}v1/understand"
    assert answer.json()["active"] == closing["payload"]["data"]["active"]
    await page.get_by_role("button", name="复制 websocat").click()
    await expect(page.get_by_role("button", name="复制 curl")).to_be_visible()
    assert service.stream in await page.evaluate("navigator.clipboard.readText()")


async def test_copied_requests_carry_the_token(open_page: Any, say: Any, locked_service: Any) -> None:
    """Behind a token the copied lines hold it: they work as they are; without it nothing does (docs/security.md)."""
    page = await open_page("#token=only-for-those-who-know", at=locked_service)
    turn = await say(page, "打开卧室的灯")
    await page.get_by_role("button", name="复制 curl").click()
    words = shlex.split(await page.evaluate("navigator.clipboard.readText()"))
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(words[2], content=words[-1].encode(), headers=headers)
        del headers["authorization"]
        refused = await client.post(words[2], content=words[-1].encode(), headers=headers)
    assert (answer.status_code, refused.status_code) == (200, 401)
    await expect(turn.locator(".text")).to_have_text(answer.json()["active"]["intent"]["result"])
    await page.get_by_role("button", name="复制 websocat").click()
    await expect(page.get_by_role("button", name="已复制").last).to_be_visible()
    assert "Bearer only-for-those-who-know" in await page.evaluate("navigator.clipboard.readText()")


async def test_the_report_hides_private_names(open_page: Any, say: Any, homes: Any, tmp_path: Any, paste: Any) -> None:
    """A labelled-case template: names somebody gave and ids get stand-ins, the same everywhere; generic words stay."""
    home = homes("flat25")
    home["devices"][18]["name"] = "小明的净化器"
    home["devices"][11].update(id="sn-99-private", name="小明的台灯")
    home["layout"][4] = "小明的房间"
    home = json.loads(json.dumps(home).replace(json.dumps("儿童房"), json.dumps("小明的房间")))
    page = await open_page()
    await page.click("#home-edit")
    await paste(page, json.dumps(home))
    await page.click("#editor button[type=submit]")
    await expect(page.locator("#home-choice")).to_have_value("custom")
    await page.select_option("#local", "卧室")
    await say(page, "打开小明的台灯")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="报告这一轮").click()
    await (await download.value).save_as(tmp_path / "report.json")
    text = (tmp_path / "report.json").read_text(encoding="utf-8")
    report = json.loads(text)
    assert not re.search("小明|sn-99|did-5120", text)
    assert report["turns"][0]["question"] == "打开名字甲的台灯"
    names = [device["name"] for device in report["home"]["devices"]]
    assert names[18] == "名字甲的净化器"
    assert names[11] == "名字甲的台灯"
    assert names[0] == "吸顶灯"
    assert "名字甲的房间" in report["home"]["layout"]
    assert report["turns"][0]["instructs"][0]["id"] == report["home"]["devices"][11]["id"]
    assert set(report) >= {"id", "home", "local", "instruct", "turns", "tags"}
