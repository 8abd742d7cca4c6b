import { expect, test } from "vitest";
import { assertLeased } from "./assert-leased.ts";

const arena = { cluster: "embedded-1", slot: 0, namespace: "shop", fence: 2 };
const leasedTo = (episode: string | null, fence: number) => ({
  get: async () => ({
    ...{ cluster: "embedded-1", slot: 0, known: true, deployed: null },
    ...{ quarantined: null, quarantinedAt: null, episode, fence },
  }),
});

test("an arena may be read by the episode that has it, and by no other, and not after its end", async () => {
  const held = { arena, episodeId: "x-1" };
  await assertLeased(held, leasedTo("x-1", 2));
  await expect(assertLeased(held, leasedTo("x-2", 3))).rejects.toMatchObject({ code: "stale-lease" });
  await expect(assertLeased(held, leasedTo("x-1", 3))).rejects.toMatchObject({ code: "stale-lease" });
  await expect(assertLeased(held, leasedTo(null, 2))).rejects.toThrow(
    /x-1 no longer holds arena embedded-1\/0/,
  );
});
