import { expect, test } from "vitest";
import type { CreateState } from "./state-under-test.ts";

/** A range has one identity, however many processes it has. */
export function testRangeId(create: CreateState): void {
  test("every process of a range reads the same identity, and another range has another one", async () => {
    await using tested = await create();
    await using other = await create();
    const process = await tested.another();
    const [id, same, again] = await Promise.all([
      tested.state.rangeId(),
      process.rangeId(),
      tested.state.rangeId(),
    ]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect([same, again]).toEqual([id, id]);
    expect(await other.state.rangeId()).not.toBe(id);
  });
}
