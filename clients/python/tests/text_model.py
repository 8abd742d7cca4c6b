"""A model by rules that answers in AIOpsLab's text form, behind OpenAI's API: `python -m tests.text_model <port>`.

It reads the pods, removes chaos where it is to repair, and submits an answer of the right form."""

from __future__ import annotations

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWERS = {
    "anomaly": 'submit("Yes")',
    "objects": "submit([])",
    "causes, explanation=None": "submit([])",
    "": "submit()",
}


def next_action(messages: list[dict[str, Any]]) -> str:
    """What it does after a conversation, as a text."""
    texts = [str(message["content"]) for message in messages]
    asked = next((found[1] for text in texts if (found := re.search(r"^submit\((.*)\)$", text, re.MULTILINE))), "")
    commands = ["kubectl get pods", *([] if asked else ["kubectl delete stresschaos,networkchaos,podchaos --all"])]
    made = sum(message["role"] == "assistant" for message in messages)
    call = f'exec_shell("{commands[made]}")' if made < len(commands) else ANSWERS[asked]
    return f"Action:\n```\n{call}\n```"


class Handler(BaseHTTPRequestHandler):
    """Answers every chat completion."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": next_action(request["messages"])}
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
