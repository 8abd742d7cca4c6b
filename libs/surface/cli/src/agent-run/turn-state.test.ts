import { expect, test } from "vitest";
import type { SessionClient, Turn } from "./session-client.ts";
import { isLeftOpen, isOver } from "./turn-state.ts";

const aTurn = (turn: string): Turn => ({ status: "problem", problem: "p1", attempt: 1, turn }) as Turn;

test("the same attempt after its arena was lost is another turn", async () => {
  const { signal } = new AbortController();
  const session: Pick<SessionClient, "next"> = { next: async () => aTurn("2.1") };
  expect(await isLeftOpen(session, "w1", aTurn("1.1"), signal)).toBe(false);
  expect(await isOver(session, "w1", aTurn("1.1"), signal)).toBe(true);
  expect(await isLeftOpen(session, "w1", aTurn("2.1"), signal)).toBe(true);
});
