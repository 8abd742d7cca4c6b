import { expect, test } from "vitest";
import { runHere } from "./testing/run-here.ts";

/** `microremed problems ...` in this process: what it printed, what it said, its exit code. */
const problems = (...args: string[]) => problemsIn("80", ...args);

/** The same on a terminal of so many columns. */
const problemsIn = (columns: string, ...args: string[]) => runHere(["problems", ...args], columns);

const json = async (...args: string[]) => JSON.parse((await problems(...args, "--output", "json")).out);

test("list has a row for each suite, and fits 80 columns", async () => {
  const { code, out } = await problems("list");
  expect(code).toBe(0);
  for (const suite of ["aiopslab@1", "microremed@1", "range@1"]) expect(out).toContain(suite);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  const rows = await json("list");
  const range = rows.find((row: { suite: string }) => row.suite === "range@1");
  expect(range.problems).toBeGreaterThanOrEqual(300);
  const [detection] = (await json("list", "--task", "detection")).filter(
    (row: { suite: string }) => row.suite === "range@1",
  );
  expect(detection.problems).toBeLessThan(range.problems);
});

test("list of a suite has its problems; --output json has everything of them", async () => {
  const filters = ["--task", "detection", "--env", "simple-micro"];
  const { out } = await problemsIn("200", "list", "range@1", ...filters);
  const found = await json("list", "range@1", ...filters);
  expect(found.length).toBeGreaterThan(5);
  for (const problem of found) {
    expect(problem).toMatchObject({
      environment: "simple-micro",
      tasks: expect.arrayContaining(["detection"]),
      missing: [],
    });
    expect(out).toContain(problem.id.split("/")[1]);
  }
});

test("show has the incident, in words and in JSON; describe has what agents get", async () => {
  const [faulty] = (await json("list", "range@1", "--task", "analysis", "--runnable")).filter(
    ({ incident }: { incident: unknown[] }) => incident.length > 0,
  );
  const [{ fault, target }] = faulty.incident;
  expect((await problems("show", faulty.id)).out).toContain(`${fault} on ${target}`);
  expect(await json("show", faulty.id)).toEqual(faulty);
  const described = await problems("describe", faulty.id);
  expect(described.out).toContain("== analysis");
  expect(described.out).not.toContain(fault);
  const solved = await json("describe", faulty.id, "--solution");
  expect(solved.tasks).toContainEqual(
    expect.objectContaining({ task: "analysis", answer: expect.objectContaining({ type: "object" }) }),
  );
  expect(solved.solution).toHaveLength(faulty.incident.length);
  expect(solved.solution[0].mechanism).toEqual(expect.any(String));
});

test("describe has what each part of a task asks, without a report", async () => {
  const [watched] = await json("list", "range@1", "--task", "monitoring", "--runnable");
  const { tasks } = await json("describe", watched.id);
  expect(tasks).toContainEqual(
    expect.objectContaining({
      task: "monitoring: detection",
      answer: expect.objectContaining({ type: "object" }),
    }),
  );
});

test.each<[string, string[], RegExp]>([
  ["a suite", ["list", "rnage@1"], /no suite .*did you mean "range@1"/],
  [
    "a problem",
    ["show", "microremed@1/simple-micro-esay-01"],
    /did you mean "microremed@1\/simple-micro-easy-01"/,
  ],
  [
    "a problem's suite",
    ["describe", "micrormed@1/simple-micro-easy-01"],
    /did you mean "microremed@1\/simple/,
  ],
  ["a task", ["list", "--task", "detektion"], /did you mean "detection"/],
  ["an environment", ["list", "--env", "simple-mikro"], /did you mean "simple-micro"/],
  ["nothing like any", ["show", "x/y"], /there is no problem "x\/y"; known: /],
])("a wrong name of %s is a wrong argument, and what it may have been is said", async (_, args, why) => {
  const { code, out, err } = await problems(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(why);
});

test("a verb or an option that does not exist is a wrong argument", async () => {
  for (const args of [["lsit"], ["list", "--tasks", "x"], ["show"]])
    expect((await problems(...args)).code).toBe(2);
});
