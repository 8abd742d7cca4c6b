import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { runHere } from "./testing/run-here.ts";

const { problems } = await builtInCatalogue();
const suites = [...new Set(problems.all().map(({ id }) => id.split("/")[0] ?? ""))];
const lists = ["environments", "faults", "methods", "tools", "tasks", "models", "policies", "problems list"];
const ofSuites = suites.map((suite) => `problems list ${suite}`);
const shown = suites.flatMap((suite) => {
  const all = problems.all().filter(({ id }) => id.startsWith(`${suite}/`));
  return [all[0], all.at(-1)].flatMap((problem) => (problem ? [`problems show ${problem.id}`] : []));
});

test.each([...lists, ...ofSuites, ...shown])("%s fits 80 characters in a pipe", async (command) => {
  const { code, out } = await runHere(command.split(" "));
  expect(code).toBe(0);
  expect(out.split("\n").length).toBeGreaterThan(2);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
