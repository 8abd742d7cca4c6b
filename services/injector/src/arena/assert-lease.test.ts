import { expect, test } from "vitest";
import { assertLease } from "./assert-lease.ts";

const arena = { cluster: "c", slot: 0, namespace: "n", fence: 3 };

test("lets the holder of the lease pass and nobody else", async () => {
  await assertLease({ currentFence: async () => 3 }, arena);
  await expect(assertLease({ currentFence: async () => 4 }, arena)).rejects.toMatchObject({
    code: "stale-lease",
  });
});
