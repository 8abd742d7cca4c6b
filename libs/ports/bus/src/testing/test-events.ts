import { subjects } from "@microremed/contracts";
import { expect, test } from "vitest";
import type { SuiteContext } from "./bus-under-test.ts";
import { bytes } from "./bus-under-test.ts";

export function testEvents({ bus, connect, storeRaw }: SuiteContext): void {
  const publish = (experimentId: string): Promise<void> => {
    const event = { type: "experiment-finished", experimentId, at: 1, status: "completed" };
    return bus().publish(subjects.event(experimentId, "-", event.type), event);
  };

  test("events are seen as they are published, those of all experiments, and none after the end", async () => {
    await using watcher = await connect();
    await publish("watched-before");
    const seen: string[] = [];
    const watching = await watcher.watchEvents(({ experimentId }) => void seen.push(experimentId));
    await publish("watched-1");
    await storeRaw(subjects.event("watched-2", "-", "x"), bytes("no event"));
    await publish("watched-3");
    await expect.poll(() => seen).toEqual(["watched-1", "watched-3"]);
    await watching[Symbol.asyncDispose]();
    await publish("watched-4");
    const read: string[] = [];
    const options = { signal: AbortSignal.timeout(10_000), follow: false };
    for await (const { experimentId } of bus().readEvents("watched-4", options)) read.push(experimentId);
    expect({ read, seen }).toEqual({ read: ["watched-4"], seen: ["watched-1", "watched-3"] });
  });
}
