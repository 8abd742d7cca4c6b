import { ExperimentRequest, subjects } from "@microremed/contracts";
import { aRunningExperiment } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import type { GatewaySuite } from "./test-gateway.ts";

interface Read {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly data: unknown;
}

/** The events of a stream until it ends or `most` have come. */
async function eventsOf(reply: Response, most = Number.POSITIVE_INFINITY): Promise<Read[]> {
  expect(reply.headers.get("content-type")).toContain("text/event-stream");
  const events: Read[] = [];
  let text = "";
  for await (const chunk of reply.body ?? []) {
    text += new TextDecoder().decode(chunk);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const line = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const data = line("data");
      if (data !== undefined) events.push({ id: line("id"), type: line("event"), data: JSON.parse(data) });
    }
    if (events.length >= most) break;
  }
  return events;
}

export function testEvents({ gateway, backbone }: GatewaySuite): void {
  const publish = async (experimentId: string, type: string, more: object): Promise<void> => {
    const event = { type, experimentId, at: 1, ...more };
    await backbone().bus.publish(subjects.event(experimentId, "-", type), event);
  };
  const known = (id: string) =>
    backbone().bus.serve(subjects.experimentQuery, "scheduler", z.unknown(), async () => ({
      status: "ok",
      experiment: aRunningExperiment(id, ExperimentRequest.parse({ id, environment: "shop", model: "m" }), 1),
      episodes: [],
      next: null,
    }));

  test("an experiment is followed from its first event to its end, and again from where it was left", async () => {
    const researcher = await gateway().as("researcher");
    await using _scheduler = await known("followed");
    await publish("followed", "experiment-waits", { reason: "no arena" });
    const reading = eventsOf(await researcher("/v1/experiments/followed/events"));
    await publish("followed", "experiment-waits", { reason: "still none" });
    await publish("followed", "experiment-finished", { status: "completed" });
    const all = await reading;
    expect(all.map(({ id, type }) => [id, type])).toEqual([
      ["1", "experiment-waits"],
      ["2", "experiment-waits"],
      ["3", "experiment-finished"],
    ]);
    const headers = { "last-event-id": "2" };
    expect(await eventsOf(await researcher("/v1/experiments/followed/events", { headers }))).toEqual(
      all.slice(2),
    );
  });

  test("everything is followed from now on", async () => {
    const researcher = await gateway().as("researcher");
    await publish("earlier", "experiment-waits", { reason: "before" });
    const reply = await researcher("/v1/events");
    const reading = eventsOf(reply, 2);
    await publish("live-1", "experiment-waits", { reason: "one" });
    await publish("live-2", "experiment-waits", { reason: "two" });
    const seen = await reading;
    expect(seen.map(({ data }) => (data as { experimentId: string }).experimentId)).toEqual([
      "live-1",
      "live-2",
    ]);
  });
}
