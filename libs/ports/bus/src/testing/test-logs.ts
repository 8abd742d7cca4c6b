import { subjects } from "@microremed/contracts";
import { expect, test } from "vitest";
import { bytes, type SuiteContext } from "./bus-under-test.ts";

export function testLogs({ bus, storeRaw }: SuiteContext): void {
  const subjectOf = (id: string) => subjects.event(id, "-", "experiment-finished");
  const publish = (experimentId: string, at = 1) =>
    bus().publish(subjectOf(experimentId), {
      experimentId,
      at,
      type: "experiment-finished",
      status: "completed",
    });
  const stored = async (id: string): Promise<number[]> => {
    const times: number[] = [];
    const options = { signal: new AbortController().signal, follow: false };
    for await (const { at } of bus().readEvents(id, options)) times.push(at);
    return times;
  };

  test("reads an experiment's events from the first on, then live, and no other experiment's", async () => {
    await publish("exp-read", 1);
    await publish("exp-other", 2);
    const stop = new AbortController();
    const seen: [string, number][] = [];
    const reading = (async () => {
      const events = bus().readEvents("exp-read", { signal: stop.signal });
      for await (const { experimentId, at } of events) seen.push([experimentId, at]);
    })();
    await expect.poll(() => seen).toEqual([["exp-read", 1]]);
    await publish("exp-read", 3);
    await expect.poll(() => seen.length).toBe(2);
    stop.abort();
    await reading;
    expect(seen[1]).toEqual(["exp-read", 3]);
    expect(await Promise.all([stored("exp-read"), stored("exp-nobody")])).toEqual([[1, 3], []]);
  });

  test("leaves out events that cannot be read", async () => {
    await publish("exp-odd", 1);
    await storeRaw(subjectOf("exp-odd"), bytes("{ not an event"));
    await publish("exp-odd", 2);
    expect(await stored("exp-odd")).toEqual([1, 2]);
  });

  test("a reader whose signal is aborted already reads nothing", async () => {
    await publish("exp-stop");
    let count = 0;
    for await (const _ of bus().readEvents("exp-stop", { signal: AbortSignal.abort() })) count++;
    expect(count).toBe(0);
  });
}
