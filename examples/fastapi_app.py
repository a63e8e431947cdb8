"""A FastAPI app in front of TingDong: homes in, conversations over HTTP (docs/python.md).

pip install fastapi uvicorn
uvicorn --app-dir examples fastapi_app:app
curl -X PUT localhost:8000/homes/mine -H 'content-type: application/json' -d @tests/corpus/homes/sample8.json
curl -X POST localhost:8000/homes/mine/say -H 'content-type: application/json' -d '{"text": "关客厅的灯"}'
"""

from typing import Any

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

import tingdong
from tingdong.errors import BadHome

app = FastAPI(title="A home that listens")
homes: dict[str, tingdong.Home] = {}


class Said(BaseModel):
    """What somebody says, and the room where they stand."""

    text: str
    local: str = ""


@app.put("/homes/{name}", status_code=204)
def put_home(name: str, document: dict[str, Any]) -> None:
    """Takes a home as service.md has it; its dialogue begins anew."""
    try:
        homes[name] = tingdong.Home.load(document)
    except BadHome as error:
        raise HTTPException(422, detail={"message": str(error), "path": error.path}) from error


@app.post("/homes/{name}/say")
async def say(name: str, said: Said) -> dict[str, Any]:
    """One turn: what to answer, and what the devices are told."""
    if name not in homes:
        raise HTTPException(404, detail={"message": f"没有这个家：{name}"})
    turn = await homes[name].asay(said.text, local=said.local)
    instructs = [{"id": one.id, "state": one.state, "summary": one.summary} for one in turn.instructs]
    return {"type": turn.kind, "result": turn.text, "instructs": instructs, "options": list(turn.options)}
