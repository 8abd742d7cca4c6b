import { readdirSync } from "node:fs";
import { Command } from "commander";
import { expect, test } from "vitest";
import { firstLine } from "./main.ts";
import { createTerminal } from "./terminal.ts";
import { verbs } from "./verbs.ts";

test("every verb loads a command of its own name", async () => {
  const terminal = createTerminal(process.stdout, process.stderr, {});
  const signal = new AbortController().signal;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  for (const { name, load } of verbs) {
    const command = (await load())({ terminal, log, env: {}, signal });
    expect(command).toBeInstanceOf(Command);
    expect(command.name()).toBe(name);
  }
});

test("every command of the folder is a verb, or a part of one", () => {
  const files = readdirSync(new URL("./commands", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));
  const parts = ["list", "cluster-prepare", "agent-run"];
  const names = verbs.map(({ name }) => name);
  expect(files.filter((file) => !parts.includes(file)).filter((file) => !names.includes(file))).toEqual([]);
});

test("verbs that start a range say something before they are loaded, unless they are asked for help", () => {
  const starting = ["run", "agent", "up", "replay", "audit", "play", "demo", "dataset", "gym", "traces"];
  expect(
    verbs
      .filter(({ slow }) => slow)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(starting.sort());
  expect(firstLine(["run", "--env", "simple-micro"])).toBe("reading the catalogue");
  expect(firstLine(["run", "--help"])).toBeUndefined();
  expect(firstLine(["report", "run"])).toBeUndefined();
  expect(firstLine([])).toBeUndefined();
});
