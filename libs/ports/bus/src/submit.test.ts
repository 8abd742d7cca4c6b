import type { SubmitReply } from "@microremed/contracts";
import { retryable, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { createMemoryBroker } from "./memory/memory-broker.ts";
import { createMemoryTransport } from "./memory/memory-transport.ts";
import type { Publish } from "./publish.ts";
import { submit } from "./submit.ts";
import { createManualTimers } from "./testing/manual-timers.ts";

const request = { environment: "shop", model: "m", failures: ["cpu-stress"] };
const answer: SubmitReply = { status: "accepted", experimentId: "exp-1", episodes: 1 };
const unconfirmed = retryable("bus-unreachable", "the server did not confirm within 5 s");

/** Submits to a server that fails so many times, each with the error, and notes the id of every try. */
async function submitTo(failures: number, error = unconfirmed) {
  const timers = createManualTimers();
  const transport = createMemoryTransport(createMemoryBroker({ timers }));
  const ids: (string | undefined)[] = [];
  const publish: Publish = async (_subject, _body, { msgId, headers = {} } = {}) => {
    ids.push(msgId);
    if (ids.length <= failures) throw error;
    transport.post(headers["Microremed-Reply-To"] ?? "", JSON.stringify(answer));
  };
  const reply = submit(transport, publish, request, 60_000).catch((thrown: unknown) => thrown);
  for (let i = 0; i < 10; i++) await timers.advance(1_000);
  return { reply: await reply, ids };
}

test("what the server did not confirm is sent again under the same id", async () => {
  const { reply, ids } = await submitTo(2);
  expect(reply).toEqual(answer);
  expect(ids).toEqual([expect.any(String), ids[0], ids[0]]);
});

test("two requests have ids of their own", async () => {
  const [one, other] = [await submitTo(0), await submitTo(0)];
  expect(one.ids).not.toEqual(other.ids);
});

test("a server that never confirms is reported, and what is wrong with the request at once", async () => {
  const away = await submitTo(Number.POSITIVE_INFINITY);
  expect(away).toEqual({ reply: unconfirmed, ids: Array(3).fill(away.ids[0]) });
  const wrong = await submitTo(Number.POSITIVE_INFINITY, terminal("invalid-message", "too large"));
  expect(wrong.ids).toHaveLength(1);
  expect(wrong.reply).toMatchObject({ code: "invalid-message" });
});
