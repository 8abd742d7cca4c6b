#!/usr/bin/env python3
"""As submit.py, with the client library: pip install nats-py."""

import asyncio
import json
import os
import ssl
import sys

import nats
import nats.errors


async def main():
    authority = os.environ.get("NATS_CA_FILE")
    client = await nats.connect(
        os.environ["NATS_URL"], user=os.environ["NATS_USER"], password=os.environ["NATS_PASSWORD"],
        tls=ssl.create_default_context(cafile=authority) if authority else None,
    )
    with open(sys.argv[1], "rb") as file:
        request = file.read()
    inbox = client.new_inbox()
    answers = await client.subscribe(inbox, max_msgs=1)
    await client.publish("microremed.experiments.submit", request, headers={"Microremed-Reply-To": inbox})
    answer = json.loads((await answers.next_msg(timeout=30)).data)
    print(json.dumps(answer))

    while answer["status"] == "accepted":
        query = json.dumps({"experimentId": answer["experimentId"], "limit": 1}).encode()
        try:
            page = json.loads((await client.request("microremed.rpc.experiments", query, timeout=10)).data)
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            # The scheduler has just been replaced: the question is asked again.
            await asyncio.sleep(0.5)
            continue
        if page["experiment"]["status"] != "running":
            print(json.dumps(page["experiment"]))
            print(f"outcomes: microremed report {answer['experimentId']}", file=sys.stderr)
            break
        await asyncio.sleep(0.5)
    await client.close()
    if answer["status"] != "accepted":
        sys.exit(2)


asyncio.run(main())
