import { expect, test } from "vitest";
import type { CreateState } from "./state-under-test.ts";

/** A command is begun once. */
export function testStarts(create: CreateState): void {
  test("a command is begun once, and every command for itself", async () => {
    await using tested = await create();
    const { starts } = tested.state;
    const key = { episodeId: "e-1.0000", trial: 1, attempt: 1, stage: "act" } as const;
    expect(await starts.begin(key)).toBe(true);
    expect(await starts.begin(key)).toBe(false);
    expect(await starts.begin({ ...key, attempt: 2 })).toBe(true);
  });
}
