import { expect, test } from "vitest";
import { commandOf, foreignPrograms, type Program, parseCommands } from "./foreign-programs.ts";
import { leftProcesses, parseProcesses, parseVariables, stoppedProcesses } from "./processes.ts";

const redis = { executable: "/usr/bin/redis-server", command: "redis-server *:6379" };
const program = (fields: Partial<Program>): Program => ({
  pid: 30,
  parent: 1,
  age: 1,
  executable: "/bin/busybox",
  command: "sh -c sleep 600; kill 1",
  ...fields,
});
const commandsOf = (all: readonly Program[], known: string[] = [], first = redis, checkSeconds = 0) => {
  const byPid = new Map(all.map((one) => [one.pid, one]));
  const left = leftProcesses(byPid, checkSeconds).flatMap(({ pid }) => byPid.get(pid) ?? []);
  return foreignPrograms({ first, left, stopped: [], variables: new Map() }, known).map(
    ({ command }) => command,
  );
};

test.each([
  ["a shell left in the background, at any age", [program({ age: 0 })], 1],
  ["one with its own children", [program({}), program({ pid: 31, parent: 30, command: "sleep 600" })], 2],
  ["one that its client still holds, once it is older than any check", [program({ parent: 0, age: 11 })], 1],
  ["a health check, or this very question", [program({ parent: 0, age: 2 })], 0],
  ["a daemon of one of the image's own programs", [program({ parent: 7 })], 0],
  ["the first program's own process in a session of its own", [program({ ...redis, pid: 30 })], 0],
  ["the first program once more, from outside", [program({ ...redis, parent: 0, age: 60 })], 1],
  ["a copy of a shell under the first program's name", [program({ executable: "/tmp/redis-server" })], 1],
  ["one whose executable cannot be read", [program({ executable: "" })], 1],
])("%s", (_, others, count) => {
  expect(commandsOf(others)).toHaveLength(count);
});

test("where the first program is a shell, another shell is foreign unless it is the same command", () => {
  const shell = { executable: "/bin/busybox", command: "sh -c while true; do sleep 3600; done" };
  expect(commandsOf([program({})], [], shell)).toHaveLength(1);
  expect(commandsOf([program({ command: shell.command })], [], shell)).toEqual([]);
});

test("what was there before the remedies is known again with other numbers, and so is what comes from it", () => {
  const known = ["agent --port #"];
  const agent = program({ command: "agent --port 7001" });
  expect(commandsOf([agent, program({ pid: 31, parent: 30 })], known)).toEqual([]);
  expect(commandsOf([agent])).toHaveLength(1);
  const [long, other] = ["a", "b"].map((end) => program({ command: `agent ${"x".repeat(300)} ${end}` })) as [
    Program,
    Program,
  ];
  expect(commandsOf([long], [commandOf(long)])).toEqual([]);
  expect(commandsOf([other], [commandOf(long)])).toHaveLength(1);
});

test("a check with a long time limit is no foreign program before that", () => {
  const check = program({ parent: 0, age: 25 });
  expect(commandsOf([check], [], redis, 30)).toEqual([]);
  expect(commandsOf([check])).toHaveLength(1);
});

test("a mark has what has only just started too, such as the fault's own programs", () => {
  const stress = program({ parent: 0, age: 1, command: "stress --size 1280MiB" });
  const others = new Map([[stress.pid, stress]]);
  expect(leftProcesses(others, 0)).toEqual([]);
  expect(leftProcesses(others, "any")).toEqual([stress]);
});

test("a program's name cannot hide another one, and output that names no first program is none", () => {
  const tail = "0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 1 2";
  const first = `1 (sh) S 0 1 1 ${tail}\n`;
  const evil = `9 (a) S 0 1 1) S 1 9 9 ${tail}\n`;
  expect([...(parseProcesses(`10.00 3.00\n${first}${evil}`)?.keys() ?? [])]).toEqual([9]);
  expect(parseProcesses("10.00 3.00\n")).toBeUndefined();
  expect(parseProcesses("")).toBeUndefined();
});

test("stopped processes are found in every session; one that a debugger holds is not stopped", () => {
  const tail = "0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 1 2";
  const output = [
    "1 (sh) S 0 1 1",
    "7 (worker) T 1 1 1",
    "9 (T) S 0 9 9",
    "10 (a) t 0 9 9",
    "11 (stress) T 0 9 9",
  ]
    .map((line) => `${line} ${tail}\n`)
    .join("");
  expect(stoppedProcesses(`10.00 3.00\n${output}`)).toEqual([7, 11]);
});

test("variables are read behind the processes, and are taken for none of them", () => {
  const tail = "0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 1 2";
  const first = `1 (sh) S 0 1 1 ${tail}\n`;
  const output = `10.00 3.00\n${first}variables-of-the-first-program\nA=1\0B=x=y\n9 (a) T 1 9 9 ${tail}\0C=\0`;
  const variables = parseVariables(output);
  expect(["A", "B", "C", "1", "x"].map((name) => variables.get(name))).toEqual([
    "1",
    `x=y\n9 (a) T 1 9 9 ${tail}`,
    "",
    undefined,
    undefined,
  ]);
  expect([...(parseProcesses(output)?.keys() ?? [])]).toEqual([]);
  expect(stoppedProcesses(output)).toEqual([]);
  expect([...variables.keys()]).toEqual(["A", "B", "C"]);
  expect(parseVariables(`10.00 3.00\n${first}`).get("A")).toBeUndefined();
  expect([...parseVariables(`10.00 3.00\n${first}`).keys()]).toEqual([]);
});

test("commands keep their words and lose their line ends", () => {
  expect(parseCommands("/bin/sh\nsh\0-c\0sleep 1\nkill 1\0\u001e\n\n\u001e\n")).toEqual([
    { executable: "/bin/sh", command: "sh -c sleep 1 kill 1" },
    { executable: "", command: "" },
  ]);
});
