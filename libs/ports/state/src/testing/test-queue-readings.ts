import { expect, test } from "vitest";
import type { CreateState } from "./state-under-test.ts";

export function testQueueReadings(create: CreateState): void {
  test("the last reading of each queue is kept", async () => {
    await using tested = await create();
    const { queueReadings } = tested.state;
    expect(await queueReadings.get("a.b")).toBeUndefined();
    await queueReadings.set("a.b", { deliveries: 1, at: 1_000 });
    await queueReadings.set("a.c", { deliveries: 7, at: 2_000 });
    await queueReadings.set("a.b", { deliveries: 2, at: 3_000 });
    expect(await queueReadings.get("a.b")).toEqual({ deliveries: 2, at: 3_000 });
    expect(await queueReadings.get("a.c")).toEqual({ deliveries: 7, at: 2_000 });
  });
}
