import { expect, test } from "vitest";
import { type LedgerLine, repeatedWork, wrongEffects } from "./ledger.ts";

const line = (work: string, change: Partial<LedgerLine> = {}): LedgerLine => ({
  key: "e.0000/1/0/inject",
  work,
  step: 0,
  arena: "c/0",
  fence: 1,
  ...change,
});

test("restarting work is allowed, continuing it after another worker took over is not", () => {
  const taken = [line("a"), line("b"), line("b")];
  expect(wrongEffects(taken)).toEqual([]);
  expect(repeatedWork(taken)).toBe(1);
  expect(wrongEffects([...taken, line("a")])).toEqual(["e.0000/1/0/inject: a acted after b"]);
});

test("no effect on an arena under a lease that a newer one has replaced", () => {
  const next = line("b", { key: "e.0001/1/0/inject", fence: 2 });
  expect(wrongEffects([line("a"), next])).toEqual([]);
  expect(wrongEffects([line("a"), next, line("a")])).toHaveLength(1);
});
