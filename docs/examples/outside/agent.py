"""An outside agent without a model: it deletes the objects that cause chaos, which repairs easy@1, and says what came of it.

Python's standard library only. MICROREMED_URL and MICROREMED_TOKEN say where the gateway is; the first argument is the suite."""

import json
import os
import sys
import urllib.request
import uuid

URL = os.environ.get("MICROREMED_URL", "http://127.0.0.1:7070")
TOKEN = os.environ["MICROREMED_TOKEN"]


def ask(path, body):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{URL}/v1{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=90) as reply:
        return json.load(reply)


def call(session, problem, tool, **arguments):
    """The same id until there is an answer: so the call is made once, whatever is lost on the way."""
    body = {"id": str(uuid.uuid4()), "tool": tool, "arguments": arguments}
    while True:
        result = ask(f"/sessions/{session}/problems/{problem}/calls", body)
        if result["status"] != "pending":
            return result


REPAIR = "kubectl delete stresschaos,networkchaos,iochaos,podchaos --all"
wanted = {"agent": "removes-chaos@1", "suite": sys.argv[1], "task": "mitigation", "reveal": "outcome"}
session = ask("/sessions", wanted)["id"]
outcomes, before = [], None
while True:
    turn = ask(f"/sessions/{session}/next", {})
    # It is said again until this worker has called a tool in its next problem.
    if turn.get("previous", before) != before:
        before = turn["previous"]
        outcomes.append(before["outcome"])
        print(f"problem {len(outcomes)}: {outcomes[-1]}")
    if turn["status"] == "done":
        break
    if turn["status"] == "problem":
        deleted = call(session, turn["problem"], "exec_shell", command=REPAIR)
        print(deleted["text"].splitlines()[-1])
        call(session, turn["problem"], "submit")
print(f"{outcomes.count('remediated')} of {len(outcomes)} repaired")
