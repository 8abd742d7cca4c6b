import { expect, test } from "vitest";
import { youngPods } from "./usage-at-limit.ts";

const line = (name: string, age: string) => `${name} ${age}`;

test.each([
  [
    "new pods of an older system",
    [line("a", "9m"), line("b", "45s"), line("c", "1m59s"), line("d", "2m")],
    ["b", "c"],
  ],
  ["none where all are new", [line("a", "50s"), line("b", "45s")], []],
  ["none where the youngest is hours old", [line("a", "3h"), line("b", "2d")], []],
])("pods that are young: %s", (_, lines, young) => {
  expect([...youngPods(lines.join("\n"))]).toEqual(young);
});
