import { join } from "node:path";
import type { Suite } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { builtInCatalogue } from "../built-in-catalogue.ts";
import { loadCatalogue } from "../load-catalogue.ts";
import { readEntry } from "../read-entry.ts";
import { aDirectory } from "../testing/a-directory.ts";
import { partsOf } from "../testing/parts-of.ts";
import { resolveProblems } from "./resolve-problems.ts";

const parts = partsOf(await builtInCatalogue());

/** What is said of a catalogue with these files, a line each, without its folder. */
async function mistakesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const dir = await aDirectory(files);
  const said = await loadCatalogue({ dirs: [dir] }).then(
    () => "",
    (error: Error) => error.message,
  );
  return said
    .split("\n")
    .filter((line) => line.startsWith("  - "))
    .map((line) => line.replace(`  - ${dir}/`, ""));
}

/** What is said of a suite's YAML after its name and description. */
async function mistakesIn(yaml: string): Promise<string[]> {
  const dir = await aDirectory({ "suites/bad@1/suite.yaml": `name: bad@1\ndescription: d\n${yaml}` });
  const file = join(dir, "suites/bad@1/suite.yaml");
  const read = await readEntry({ kind: "suites", folder: "bad@1", file });
  const wrong =
    "problems" in read
      ? read.problems
      : resolveProblems({ entry: read.entry as Suite, file, files: [] }, parts).wrong;
  return wrong.map(({ field, expected }) => `${field}: ${expected}`);
}

const problem = (lines: string): string =>
  `problems:\n  - id: a\n    environment: simple-micro\n    ${lines.replaceAll("\n", "\n    ")}\n`;
const incident = (fault: string): string => problem(`tasks: [detection]\nincident: [{ ${fault} }]`);
const rule = (lines: string): string =>
  `rules:\n  - environments: [simple-micro]\n    faults: [cpu-stress]\n    tasks: [detection]\n    ${lines}\n`;

test.each<[what: string, yaml: string, said: (string | RegExp)[]]>([
  [
    "a fault",
    incident("fault: netwrok-loss, target: time-service"),
    [
      'problems[0].incident[0].fault: the name of a fault that is loaded, not "netwrok-loss"; did you mean "network-loss"?',
    ],
  ],
  [
    "a fault like no other",
    incident("fault: gremlins, target: time-service"),
    [/not "gremlins"; known: .* and \d+ more$/],
  ],
  [
    "a target",
    incident("fault: network-loss, target: timeservice"),
    [
      'problems[0].incident[0].target: a target that network-loss can have in simple-micro, not "timeservice"; did you mean "time-service"?',
    ],
  ],
  [
    "a load",
    problem("tasks: [detection]\nincident: []\nworkload: { shape: constant, factor: 1, load: busy }"),
    ["problems[0].workload.load: nothing: simple-micro has no loads by a name"],
  ],
  [
    "a parameter",
    incident("fault: network-loss, target: time-service, parameters: { percentage: 80 }"),
    [
      'problems[0].incident[0].parameters.percentage: a parameter of network-loss, not "percentage"; did you mean "percent"?',
    ],
  ],
  [
    "a parameter's value",
    incident("fault: network-loss, target: time-service, parameters: { percent: 800 }"),
    ["problems[0].incident[0].parameters.percent: a number of at most 100, not 800"],
  ],
  [
    "a type",
    incident("fault: network-loss, target: time-service, at: 30s"),
    ['problems[0].incident[0].at: a number, not "30s"'],
  ],
  [
    "a field",
    problem("task: detection\nincident: []"),
    ['problems[0].task: no field of this name; did you mean "tasks"?'],
  ],
  [
    "a field of a field",
    problem("tasks: [detection]\nincident: []\nlimits: { maxattempts: 3 }"),
    ['problems[0].limits.maxattempts: no field of this name; did you mean "maxAttempts"?'],
  ],
  [
    "a field of one of several kinds",
    problem(
      "tasks: [detection]\nincident: []\nworkload: { shape: bursts, factor: 3, periodSeconds: 90, shares: 1 }",
    ),
    ['problems[0].workload.shares: no field of this name; did you mean "share" or "shape"?'],
  ],
  [
    "a field like no other",
    problem("tasks: [detection]\nincident: []\nwatch: { colour: 3 }"),
    ["problems[0].watch.colour: no field of this name; there are windows, windowSeconds, withinWindows"],
  ],
  [
    "a value for a list",
    problem("tasks: [detection]\nincident: []\nheldOut: mechanism"),
    ['problems[0].heldOut: a list, not "mechanism"; write ["mechanism"]'],
  ],
  [
    "a choice",
    problem("tasks: [detection]\nincident: []\nworkload: { shape: burst, factor: 3 }"),
    [/^problems\[0\]\.workload\.shape: "constant" or "bursts".*, not "burst"$/],
  ],
  [
    "a task in a problem",
    problem("tasks: [detect]\nincident: []"),
    ['problems[0].tasks: the name of a task that is loaded, not "detect"; did you mean "detection"?'],
  ],
  [
    "a task in the defaults",
    `defaults: { tasks: [detektion] }\n${problem("incident: []")}`,
    ['defaults.tasks: the name of a task that is loaded, not "detektion"; did you mean "detection"?'],
  ],
  [
    "what the defaults may not have",
    `defaults: { environment: simple-micro }\n${problem("tasks: [detection]\nincident: []")}`,
    [
      "defaults.environment: no field of this name; there are tasks, information, limits, watch, heldOut, noise, askedAfter, workload",
    ],
  ],
  [
    "what a problem has from the defaults",
    `defaults: { tasks: [mitigation], information: { report: symptoms } }\n${problem("incident: []")}`,
    ['defaults.information.report: "none" or "oracle" where nothing is wrong: there are no symptoms'],
  ],
  [
    "a strength's parameter",
    rule("strengths: { mild: { cpu-stress: { loadd: 60 } } }"),
    [
      'rules[0].strengths.mild.cpu-stress.loadd: a parameter of cpu-stress, not "loadd"; did you mean "load"?',
    ],
  ],
  [
    "a strength's value",
    rule("strengths: { mild: { cpu-stress: { load: -1 } } }"),
    [/^rules\[0\]\.strengths\.mild\.cpu-stress\.load: a .*number of at least \d+, not -1$/],
  ],
  [
    "a rule's noise",
    rule("noises: [[], [{ noise: failed-jobs }]]"),
    [
      'rules[0].noises[1][0].noise: the name of a noise that is loaded, not "failed-jobs"; did you mean "failed-job"?',
    ],
  ],
  [
    "a rule's environment",
    "rules:\n  - environments: [simple-mikro]\n    faults: [cpu-stress]\n    tasks: [detection]\n",
    [
      'rules[0].environments: the name of an environment that is loaded, not "simple-mikro"; did you mean "simple-micro"?',
    ],
  ],
  [
    "windows in which no fault can show",
    problem("tasks: [monitoring]\nincident: []\nlimits: { injectionSeconds: 120 }"),
    [
      "problems[0].watch.windowSeconds: at least 180, not 60: a fault comes in the first third, and may take 120 s to show",
    ],
  ],
  [
    "windows of a watch",
    problem("tasks: [monitoring]\nincident: []\nwatch: { windows: 2, withinWindows: 5 }"),
    ["problems[0].watch.withinWindows: at most as many as there are `windows` (2), not 5"],
  ],
  [
    "nothing in a suite",
    "",
    [": something to run: `problems`, `rules`, `pools`, files in `problems/`, `cases` or `draw`"],
  ],
  [
    "a tab",
    "problems:\n\t- id: a\n",
    [": YAML, not a tab in the indentation, where only spaces may be in line 4, column 1"],
  ],
  ["YAML's syntax", "problems: [a\n", [/^: YAML, not .* in line \d+, column \d+$/]],
])("says of %s what was expected, where it is written, once", async (_, yaml, said) => {
  const mistakes = await mistakesIn(yaml);
  expect(mistakes).toEqual(said.map((one) => (typeof one === "string" ? one : expect.stringMatching(one))));
});

test("mistakes of every kind in every file are named at once, with the numbers of the author's lists", async () => {
  const said = await mistakesOf({
    "suites/bad@1/suite.yaml": `name: bad@1
defaults: { tasks: [detektion] }
problems:
  - { id: a, environment: [], tasks: [detection], incident: [] }
  - id: b
    environment: simple-micro
    task: detection
    tasks: [detection]
    limits: { maxAttempts: many }
    incident: [{ fault: netwrok-loss, target: time-service }]
rules:
  - { environments: [simple-mikro], faults: [cpu-stress], tasks: [detection] }
`,
    "suites/bad@1/problems/c.yaml":
      "id: c\nenvironment: simple-micro\nincident: [{ fault: cpu-stress, target: no-service }]\ncolour: red\n",
    "suites/other@1/suite.yaml":
      "name: other@1\ndescription: d\nproblems: [{ id: a, environment: simple-micro, tasks: [detect], incident: [] }]\n",
  });
  const expected = [
    "suites/bad@1/suite.yaml, description",
    "suites/bad@1/suite.yaml, problems[0].environment",
    "suites/bad@1/suite.yaml, problems[1].task",
    "suites/bad@1/suite.yaml, problems[1].limits.maxAttempts",
    "suites/bad@1/problems/c.yaml, colour",
    "suites/bad@1/suite.yaml, defaults.tasks",
    "suites/bad@1/suite.yaml, problems[1].incident[0].fault",
    "suites/bad@1/suite.yaml, rules[0].environments",
    "suites/bad@1/problems/c.yaml, incident[0].target",
    "suites/other@1/suite.yaml, problems[0].tasks",
  ];
  expect(said.map((line) => line.split(":")[0]).toSorted()).toEqual(expected.toSorted());
});

test("what refers to an entry that is wrong itself is no mistake, and what is beside it is", async () => {
  const said = await mistakesOf({
    "environments/corner-shop/model.yaml": "name: corner-shop\n",
    "suites/mine@1/suite.yaml": `name: mine@1
description: d
problems:
  - { id: a, environment: corner-shop, tasks: [detect], incident: [] }
`,
  });
  expect(said.filter((line) => line.startsWith("suites/"))).toEqual([
    expect.stringMatching(/^suites\/mine@1\/suite\.yaml, problems\[0\]\.tasks: .*did you mean "detection"/),
  ]);
  expect(said.some((line) => line.startsWith("environments/corner-shop"))).toBe(true);
});

test("a noise that cannot be on a workload says why", async () => {
  const on = (noise: string, target: string) =>
    mistakesIn(
      `problems:\n  - id: a\n    environment: hotel-reservation\n    tasks: [detection]\n    incident: []\n    noise: [{ noise: ${noise}, target: ${target} }]\n`,
    );
  expect(await on("init-step", "mongodb-geo")).toEqual([
    expect.stringMatching(/noise\[0\]\.target: a workload that init-step can be on .*\(it keeps data, and /),
  ]);
  expect(await on("init-step", "frontent")).toEqual([expect.not.stringContaining("(it ")]);
});
