import type { ArenaView } from "@microremed/catalogue";
import { expect, test } from "vitest";
import tool from "./index.ts";

type Asked = Parameters<ArenaView["ask"]>[0];
type Row = { readonly pod?: string; readonly workload: string; readonly values: readonly (number | null)[] };

/** The tool's answer when the arena has these rows of each question, and what it asked. */
async function answerTo(args: object, answers: readonly (readonly Row[])[], left = 0) {
  const asked: Asked[] = [];
  const ask: ArenaView["ask"] = async (probe) => {
    const rows = (answers[asked.push(probe) - 1] ?? []).map((row) => ({ name: "latency", ...row }));
    const at = Array.from({ length: 3 }, (_, i) => Date.UTC(2026, 0, 1, 0, 0, 15 * i));
    return { status: "ok", exitCode: 0, output: JSON.stringify({ at, rows, left }) };
  };
  const { signal } = new AbortController();
  const text = await tool.run(tool.arguments.parse(args), { namespace: "shop", ask, seconds: 10, signal });
  return { text: String(text), asked };
}

test("what has no value now comes after what has, by whatever it had before", async () => {
  const { text } = await answerTo({ metric: "latency", per: "pod" }, [
    [
      { pod: "cart-old", workload: "cart", values: [900, 900, null] },
      { pod: "cart-new", workload: "cart", values: [null, 5, 6] },
      { pod: "pay-1", workload: "pay", values: [7, 7, 7] },
    ],
  ]);
  expect(text.split("\n")).toEqual([
    "latency (ms, mean) per pod, every 15 s from 00:00:00 to 00:00:30; highest now first",
    "pay-1: 7 7 7",
    "cart-new: - 5 6",
    "cart-old: 900 900 -",
  ]);
});

test("a comparison asks for each stretch as a whole, and shows what came and went", async () => {
  const args = { metric: "latency", since: "2m", compare: "5m" };
  const rows = (...each: readonly [string, number | null][]): Row[] =>
    each.map(([workload, value]) => ({ workload, values: [value] }));
  const { text, asked } = await answerTo(args, [
    rows(["cart", 6.61], ["pay", 20], ["idle", null]),
    rows(["cart", 6.5], ["pay", 5], ["gone", 9]),
  ]);
  expect(asked).toMatchObject([
    { per: "workload", sinceSeconds: 120, untilSeconds: 0, stepSeconds: 120 },
    { per: "workload", sinceSeconds: 420, untilSeconds: 120, stepSeconds: 300 },
  ]);
  expect(text.split("\n").slice(1)).toEqual([
    "gone: -, before 9",
    "pay: 20, before 5 (x4)",
    "cart: 6.61, before 6.5 (x1.02)",
    "idle: -, before -",
  ]);
});

test("of pods, those that are gone come last; rows that were not read are named", async () => {
  const { text } = await answerTo(
    { metric: "latency", per: "pod", compare: "5m" },
    [
      [{ pod: "cart-new", workload: "cart", values: [5] }],
      [{ pod: "cart-old", workload: "cart", values: [6] }],
    ],
    12,
  );
  expect(text).toContain("12 more are not ranked");
  expect(text.split("\n").slice(1)).toEqual(["cart-new: 5, before -", "cart-old: -, before 6"]);
});
