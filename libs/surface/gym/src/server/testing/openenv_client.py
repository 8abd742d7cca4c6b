"""Plays with a gym through OpenEnv's own clients; prints what it saw as JSON. Arguments: the gym's URL."""

import asyncio
import json
import sys

from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.env_server.types import EnvironmentMetadata, HealthStatus, SchemaResponse, State
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient
import httpx

url = sys.argv[1]
case = {"fault": "pod-fail", "environment": "simple-micro", "seed": 3}
repair = {"tool": "exec_shell", "arguments": {"command": "kubectl delete podchaos --all"}}


async def sessions():
    async with GenericEnvClient(base_url=url, message_timeout_s=600) as env, GenericEnvClient(
        base_url=url, message_timeout_s=600
    ) as other:
        first = await env.reset(**case)
        await other.reset(**case)
        seen = await env.step({"tool": "exec_shell", "arguments": {"command": "kubectl get pods"}})
        await env.step(repair)
        state = State.model_validate(await env.state())
        last = await env.step({"tool": "submit", "arguments": {}})
        idle = await other.step({"tool": "submit", "arguments": {}})
        try:
            await env.step({"tool": "submit", "arguments": {}})
            refused = None
        except RuntimeError as error:
            refused = str(error)
    return {
        "words": first.observation["text"],
        "tools": [tool["name"] for tool in first.observation["tools"]],
        "seen": seen.observation["text"],
        "rewards": [first.reward, seen.reward, last.reward, idle.reward],
        "done": [first.done, seen.done, last.done, idle.done],
        "steps": state.step_count,
        "refused": refused,
    }


async def tools(production):
    async with MCPToolClient(base_url=url, message_timeout_s=600) as env:
        env.use_production_mode = production
        if production:
            before = [tool.name for tool in await env.list_tools()]
            await env.call_tool("new_episode", **case)
            after = [tool.name for tool in await env.list_tools(use_cache=False)]
            called = await env.call_tool("exec_shell", command="kubectl get pods")
            return {"before": before, "after": after, "called": called["text"]}
        await env.reset(**case)
        after = [tool.name for tool in await env.list_tools()]
        result = await env.step(CallToolAction(tool_name="exec_shell", arguments={"command": "kubectl get pods"}))
        return {"after": after, "called": result.observation.result}


def information():
    with httpx.Client(base_url=url, timeout=60) as client:
        SchemaResponse.model_validate({k: v for k, v in client.get("/schema").json().items() if k != "reset"})
        return {
            "health": HealthStatus(client.get("/health").json()["status"]).value,
            "name": EnvironmentMetadata.model_validate(client.get("/metadata").json()).name,
        }


async def main():
    print(
        json.dumps(
            {
                "information": information(),
                "sessions": await sessions(),
                "tools": await tools(False),
                "production": await tools(True),
            }
        )
    )


asyncio.run(main())
