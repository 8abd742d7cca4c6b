import { expect, test } from "vitest";
import { breakText } from "./break-text.ts";
import { plainPairs, plainTable, type Table } from "./format.ts";
import { misfits } from "./testing/misfits.ts";

test("a table that fits is printed as it is, in columns of their widest cells", () => {
  const table = [
    ["model", "rate"],
    ["reference/noop", "0 %"],
  ];
  expect(plainTable(table, 80)).toBe(plainTable(table));
  expect(plainTable(table)).toBe("model           rate\n--------------  ----\nreference/noop  0 %");
});

test("text is broken where a reader would break it, and numbers never", () => {
  const table = [
    ["name", "95 % interval", "reason"],
    ["a", "[12.5, 100]", "latency: pod cartservice-5f6bd9c7d8-zzkl4 answers after 1043.25 ms, 1.5 before"],
  ];
  expect(plainTable(table, 46).split("\n")).toEqual([
    "name  95 % interval  reason",
    "----  -------------  -------------------------",
    "a     [12.5, 100]    latency: pod",
    "                     cartservice-5f6bd9c7d8-",
    "                     zzkl4 answers after",
    "                     1043.25 ms, 1.5 before",
  ]);
});

test("too many columns become parts, each with the columns that name a row", () => {
  const counts = Array.from({ length: 12 }, (_, i) => i);
  const row = (method: string): string[] => [
    "a/long-model-name-of-a-vendor",
    method,
    ...counts.map((i) => `${i}.${"12345678"}`),
  ];
  const table = [["model", "method", ...counts.map((i) => `count ${i}`)], row("SoloGen"), row("ThinkRemed")];
  const text = plainTable(table, 80);
  expect(misfits(text, table, 80)).toEqual([]);
  const parts = text.split("\n\n");
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(part).toMatch(/model +method +count[\s\S]*SoloGen[\s\S]*ThinkRemed/);
});

/** Any row of any table that the commands print, with names as long as requests and environments allow. */
const names = [
  "openrouter/anthropic/claude-sonnet-4.5-20250929:thinking-with-a-long-suffix",
  "m",
  "ThinkRemed",
];
const cells = [
  "",
  "-",
  "100 % to 100 %",
  "[0, 100]",
  "1234567.89",
  "2026-11-22T17:30:00.000Z",
  "7/7",
  ...names,
];

test.each([40, 60, 80, 100, 200])("no line is longer than %d, and no number is lost", (width) => {
  for (let columns = 1; columns <= 20; columns++) {
    const line = (offset: number): string[] =>
      Array.from({ length: columns }, (_, i) => cells[(i * 3 + offset) % cells.length] ?? "");
    const heading = Array.from({ length: columns }, (_, i) => `pod-config-error ${i}`);
    const table: Table = [heading, line(0), line(1), line(2)];
    expect(misfits(plainTable(table, width), table, width), `${columns} columns`).toEqual([]);
  }
});

test("a word that is longer than the line is broken, a number in it is not", () => {
  expect(breakText("abcdefghij12345678klm", 12)).toEqual(["abcdefghij", "12345678klm"]);
  expect(breakText("0 % to 100 %", 6)).toEqual(["0 % to", "100 %"]);
  expect(breakText("one two\nthree", 5)).toEqual(["one", "two", "three"]);
});

test("values of pairs go on below themselves", () => {
  expect(
    plainPairs(
      [
        ["model", "one, two, three"],
        ["seed", "1"],
      ],
      16,
    ),
  ).toBe("model  one, two,\n       three\nseed   1");
});
