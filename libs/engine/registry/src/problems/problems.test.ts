import { defineSuite } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { builtInCatalogue } from "../built-in-catalogue.ts";
import { loadCatalogue } from "../load-catalogue.ts";
import { aDirectory } from "../testing/a-directory.ts";
import { partsOf } from "../testing/parts-of.ts";
import { resolveProblems } from "./resolve-problems.ts";

const parts = partsOf(await builtInCatalogue());
const resolve = (suite: Omit<Parameters<typeof defineSuite>[0], "name" | "description">) =>
  resolveProblems(
    { entry: defineSuite({ name: "mine@1", description: "mine", ...suite }), file: "FILE", files: [] },
    parts,
  );

const listed = {
  id: "one",
  environment: "simple-micro",
  incident: [{ fault: "pod-fail", target: "hello-service" }],
};

test("a problem gets its suite's name and defaults, and can be run", () => {
  const { problems, wrong } = resolve({
    problems: [listed],
    defaults: { tasks: ["detection"], limits: { maxProbes: 3 } },
  });
  expect(wrong).toEqual([]);
  expect(problems).toEqual([
    {
      id: "mine@1/one",
      drawnValues: true,
      suite: "mine@1",
      title: "pod-fail on hello-service in simple-micro",
      environment: "simple-micro",
      incident: [{ fault: "pod-fail", target: "hello-service", at: 0 }],
      tasks: ["detection"],
      information: { report: "none", concealment: "neutral" },
      noise: [],
      limits: { maxProbes: 3 },
      heldOut: [],
      note: null,
      missing: [],
    },
  ]);
});

test("names every wrong place of a problem", () => {
  const { wrong } = resolve({
    problems: [
      { ...listed, environment: "shop", tasks: ["detection", "cooking"] },
      { ...listed, incident: [{ fault: "gremlins", target: "x" }], tasks: ["detection"] },
      { ...listed, id: "ONE", incident: [{ fault: "pod-fail", target: "x", parameters: { colour: 1 } }] },
      { ...listed, id: "calm", incident: [{ fault: "none", target: "hello-service" }], tasks: ["detection"] },
      {
        ...listed,
        id: "many",
        incident: [{ fault: "cpu-stress", target: "hello-service", parameters: { workers: 0 } }],
      },
    ],
    rules: [{ environments: ["shop"], faults: ["gremlins"], tasks: ["detection"] }],
  });
  const places = wrong.map(({ place, field }) => `${place} ${field}`);
  expect(places.toSorted()).toEqual([
    "FILE problems[0].environment",
    "FILE problems[0].tasks",
    "FILE problems[1].id",
    "FILE problems[1].incident[0].fault",
    "FILE problems[2].id",
    "FILE problems[2].incident[0].parameters.colour",
    "FILE problems[2].incident[0].target",
    "FILE problems[2].tasks",
    "FILE problems[3].incident[0].fault",
    "FILE problems[4].incident[0].parameters.workers",
    "FILE problems[4].tasks",
    "FILE rules[0].environments",
    "FILE rules[0].faults",
  ]);
  const said = wrong.map(({ expected }) => String(expected)).join("\n");
  expect(said).toMatch(/an environment that is loaded, not "shop"; known: .*"simple-micro"/);
  expect(said).toMatch(/a target that pod-fail can have in simple-micro, not "x"; known: .*"hello-service"/);
  expect(said).toContain("an incident without faults is []");
});

test("names what makes no problem in a rule: targets, tasks, faults of a strength", () => {
  const { wrong } = resolve({
    rules: [
      {
        environments: ["simple-micro"],
        faults: ["cpu-stress"],
        targets: ["hello-service", "nobody"],
        strengths: { mild: { "cpu-stress": { load: 60 }, gremlins: {} } },
        tasks: ["detektion"],
      },
      { environments: ["simple-micro"], faults: ["cpu-stress"], targets: ["nobody"], tasks: ["detection"] },
    ],
  });
  const places = new Set(wrong.map(({ field }) => field));
  for (const field of ["targets", "tasks", "strengths.mild"]) expect(places).toContain(`rules[0].${field}`);
  expect(places).toContain("rules[1].targets");
  const said = wrong.map(({ expected }) => String(expected)).join("\n");
  expect(said).toMatch(
    /a target that one of the faults can have there, not "nobody"; known: .*"hello-service"/,
  );
  expect(said).not.toContain('not "hello-service"');
});

test("names what keeps several faults from being one incident", () => {
  const fault = (name: string, at = 0) => ({ fault: name, target: "hello-service", at });
  const { wrong } = resolve({
    defaults: { tasks: ["detection"] },
    problems: [
      { ...listed, id: "a", incident: [fault("network-loss"), fault("network-loss", 10)] },
      { ...listed, id: "b", incident: [fault("network-loss", 5), fault("network-delay", 3)] },
      { ...listed, id: "c", incident: [fault("network-loss"), fault("pod-config-error")] },
      {
        ...listed,
        id: "e",
        incident: [fault("network-loss"), fault("network-delay")],
        tasks: ["monitoring"],
      },
      {
        ...listed,
        id: "d",
        incident: [fault("network-loss"), fault("network-delay", 9)],
        information: { report: "oracle" },
      },
    ],
  });
  expect(wrong.map(({ field }) => field)).toEqual([
    "problems[0].incident[1].fault",
    "problems[1].incident[0].at",
    "problems[1].incident[1].at",
    "problems[3].tasks",
    "problems[4].information.report",
  ]);
});

test("names what keeps a fault from coming and going, from beginning after another, or from being there twice", () => {
  const flap = { onSeconds: 40, offSeconds: 40 };
  const on = (fault: string, target: string, change: object = {}) => ({ fault, target, ...change });
  const { wrong } = resolve({
    defaults: { tasks: ["detection"] },
    problems: [
      { ...listed, id: "a", incident: [on("pod-config-error", "hello-service", { flap })] },
      {
        ...listed,
        id: "b",
        incident: [on("pod-fail", "hello-service", { flap })],
        information: { concealment: "none" },
      },
      { ...listed, id: "c", incident: [on("pod-fail", "hello-service", { after: 0 })] },
      {
        ...listed,
        id: "d",
        incident: [on("network-loss", "hello-service"), on("network-loss", "time-service")],
      },
      {
        ...listed,
        id: "e",
        incident: [on("pod-fail", "hello-service"), on("cpu-stress", "time-service", { after: 0, at: 30 })],
      },
    ],
  });
  expect(wrong.map(({ field }) => field)).toEqual([
    "problems[0].incident[0].flap",
    "problems[1].information.concealment",
    "problems[2].incident[0].after",
  ]);
});

test("names what is wrong with noises, and gives them to the problems of a rule in turn", () => {
  const noise = (change: object) => ({ noise: "scaled-out", ...change });
  const { wrong } = resolve({
    defaults: { tasks: ["detection"] },
    problems: [
      { ...listed, id: "a", noise: [noise({ noise: "gremlins" })] },
      { ...listed, id: "b", noise: [noise({ target: "nobody" }), noise({ target: "time-service" })] },
      { ...listed, id: "c", noise: [{ noise: "failed-job", target: "time-service" }] },
      { ...listed, id: "d", noise: [noise({ parameters: { more: 0, less: 1 } })] },
      { ...listed, id: "e", noise: [noise({}), { noise: "failed-job", ago: 600 }] },
    ],
  });
  expect(wrong.map(({ field }) => field)).toEqual([
    "problems[0].noise[0].noise",
    "problems[1].noise[0].target",
    "problems[2].noise[0].target",
    "problems[3].noise[0].parameters.less",
    "problems[3].noise[0].parameters.more",
  ]);
  const { problems } = resolve({
    rules: [
      {
        environments: ["simple-micro"],
        healthy: 3,
        noises: [[], [{ noise: "failed-job" }]],
        tasks: ["detection", "mitigation"],
        spread: "each",
      },
    ],
  });
  expect(problems.map((one) => one.noise.length)).toEqual([0, 0, 1, 1, 0, 0]);
});

test("what is missing of a problem from elsewhere is listed, and is no error", () => {
  const { problems, wrong } = resolve({
    elsewhere: true,
    defaults: { tasks: ["detection"] },
    problems: [
      listed,
      { ...listed, id: "two", environment: "shop", incident: [{ fault: "gremlins", target: "x" }] },
      { ...listed, id: "three", never: "it runs on no cluster" },
    ],
  });
  expect(wrong).toEqual([]);
  expect(problems.map(({ missing }) => missing)).toEqual([
    [],
    ["the environment shop", "the fault gremlins"],
    ["it runs on no cluster"],
  ]);
});

test("a rule makes a problem of every fault, target, strength and task, and healthy ones", () => {
  const { problems, wrong } = resolve({
    rules: [
      {
        environments: ["simple-micro"],
        faults: ["cpu-stress"],
        targets: ["hello-service"],
        strengths: { mild: { "cpu-stress": { load: 60 } }, full: {} },
        healthy: 1,
        tasks: ["detection", "mitigation"],
        spread: "each",
        watch: { windows: 5 },
      },
    ],
  });
  expect(wrong).toEqual([]);
  expect(problems.map(({ watch }) => watch)).toEqual(
    Array.from({ length: 6 }, () => ({ windows: 5, windowSeconds: 60, withinWindows: 3 })),
  );
  expect(problems.map(({ id, tasks }) => `${id} ${tasks}`)).toEqual([
    "mine@1/simple-micro-cpu-stress-hello-service-mild-detection detection",
    "mine@1/simple-micro-cpu-stress-hello-service-mild-mitigation mitigation",
    "mine@1/simple-micro-cpu-stress-hello-service-full-detection detection",
    "mine@1/simple-micro-cpu-stress-hello-service-full-mitigation mitigation",
    "mine@1/simple-micro-calm-01-detection detection",
    "mine@1/simple-micro-calm-01-mitigation mitigation",
  ]);
  expect(problems[0]?.incident).toEqual([
    { fault: "cpu-stress", target: "hello-service", parameters: { load: 60 }, at: 0 },
  ]);
  expect(problems[2]?.incident).toEqual([{ fault: "cpu-stress", target: "hello-service", at: 0 }]);
  expect(problems[4]?.incident).toEqual([]);
});

test("tasks in turn or together, and so many targets of a fault, evenly", () => {
  const rule = {
    environments: ["online-boutique"],
    faults: ["pod-fail"],
    mostTargets: 3,
    tasks: ["detection", "mitigation"],
  };
  const idsOf = (spread: "in-turn" | "together") =>
    resolve({ rules: [{ ...rule, spread }] }).problems.map(({ tasks }) => tasks.join("+"));
  expect(idsOf("in-turn")).toEqual(["detection", "mitigation", "detection"]);
  expect(idsOf("together")).toEqual(Array(3).fill("detection+mitigation"));
});

test("a user's suite may have a file for each problem, in YAML or TypeScript", async () => {
  const dir = await aDirectory({
    "suites/mine@1/suite.yaml": "name: mine@1\ndescription: mine\ndefaults: { tasks: [detection] }",
    "suites/mine@1/problems/a.yaml": "id: a\nenvironment: simple-micro\nincident: []",
    "suites/mine@1/problems/b.ts": `import { defineProblem } from "@microremed/catalogue";
export default defineProblem({ id: "b", environment: "simple-micro", incident: [{ fault: "pod-fail", target: "hello-service" }] });`,
  });
  const { problems } = await loadCatalogue({ dirs: [dir] });
  expect(problems.of("mine@1").map(({ id }) => id)).toEqual(["mine@1/a", "mine@1/b"]);
  expect(() => problems.get("mine@1/c")).toThrow(/"mine@1\/c"; known: mine@1\/a, mine@1\/b/);
  expect(() => problems.of("yours@1")).toThrow(/"yours@1"; known: .*"mine@1"/);
});

test("a file of a problem that is wrong is named, with its field", async () => {
  const dir = await aDirectory({
    "suites/mine@1/suite.yaml": "name: mine@1\ndescription: mine\ndefaults: { tasks: [detection] }",
    "suites/mine@1/problems/a.yaml": "id: b\nenvironment: simple-micro\nincident: []",
    "suites/mine@1/problems/c.yaml": "id: c\nincident: [{ target: x }]\ncolour: red",
    "suites/mine@1/problems/notes.txt": "",
  });
  const message = await loadCatalogue({ dirs: [dir] }).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message.replaceAll(dir, "DIR")).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/suites/mine@1/problems/a.yaml, id: expected "a", the name of its file, not "b"
      - DIR/suites/mine@1/problems/c.yaml, environment: expected a text; it is missing
      - DIR/suites/mine@1/problems/c.yaml, incident[0].fault: expected a text; it is missing
      - DIR/suites/mine@1/problems/c.yaml, colour: expected no field of this name; there are id, title, environment, incident, tasks, information, limits, watch, heldOut, noise, askedAfter, workload, note, never
      - DIR/suites/mine@1/problems/notes.txt: expected a file <id>.yaml, <id>.ts, <id>.js or <id>.mjs"
  `);
});
