"""An MCP client without a model, with the official SDK: pip install "mcp>=2,<3".

It deletes the objects that cause chaos, and submits. MICROREMED_URL and MICROREMED_TOKEN say where the gateway is; the first
argument is a suite of problems of repair, such as easy@1."""

import asyncio
import os
import sys

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

URL = os.environ.get("MICROREMED_URL", "http://127.0.0.1:7070")
TOKEN = os.environ["MICROREMED_TOKEN"]
REPAIR = "kubectl delete stresschaos,networkchaos,iochaos,podchaos --all"


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    return result.content[0].text


async def main(suite):
    address = f"{URL}/mcp?suite={suite}&reveal=outcome"
    http = create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"})
    async with streamable_http_client(address, http_client=http) as streams, ClientSession(*streams[:2]) as session:
        print((await session.initialize()).server_info.title)
        while True:
            words = await call(session, "next_problem")
            print(words.splitlines()[0])
            if "No problem is left" in words:
                return
            if "not there yet" in words:
                continue
            print(await call(session, "exec_shell", command=REPAIR))
            await call(session, "submit")


asyncio.run(main(sys.argv[1]))
