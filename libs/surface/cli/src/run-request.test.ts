import { ExperimentRequest } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { type RunOptions, runRequest } from "./run-request.ts";

const catalogue = await builtInCatalogue();
const options: RunOptions = {
  env: "simple-micro",
  model: ["reference/noop"],
  remediateMethod: ["SoloGen"],
  task: ["mitigation"],
  repeats: 1,
  thinkTime: "counted",
  history: 180,
  report: "oracle",
  feedback: "oracle",
  verdict: "strict",
  concealment: "none",
  persistence: "once",
  policy: "guarded",
  waitInterval: 10,
  injectionTimeout: 30,
  enableStrictRestart: false,
  seed: 1,
  maxAttempts: 2,
  arenas: 1,
  budget: [],
  timeout: [],
  watch: [],
  soak: 0,
  parameter: [],
};
const requestOf = (more: Partial<RunOptions>) => runRequest({ ...options, ...more }, catalogue);

test("--experiments takes the first cases of a suite, or of a failure's", async () => {
  for (const experimentPath of ["pod-fail", "easy@1"]) {
    expect(await requestOf({ experimentPath, experiments: 2 })).toMatchObject({
      failures: experimentPath,
      cases: [0, 1],
    });
    expect(await requestOf({ experimentPath })).not.toHaveProperty("cases");
  }
});

test("one failure on one target is one case, unless more are asked for", async () => {
  const one = { failure: "pod-fail", target: "hello-service" };
  expect(await requestOf(one)).toMatchObject({ failures: ["pod-fail"], target: "hello-service" });
  expect(await requestOf({ ...one, experiments: 3 })).toMatchObject({ failures: Array(3).fill("pod-fail") });
});

test("a slip in a name says what there is, and is not taken for a file", async () => {
  await expect(requestOf({ experimentPath: "pod-fial" })).rejects.toThrow(
    /no such file, and no suite or failure is called "pod-fial"; did you mean "pod-fail"/,
  );
});

test("limits of time and the windows of a watch are numbers by name, and a slip in a name is explained", async () => {
  const request = await requestOf({
    timeout: ["probeSeconds=30"],
    watch: ["windows=3", "windowSeconds=90"],
    soak: 60,
  });
  expect(request).toMatchObject({
    timeouts: { probeSeconds: 30, injectionSeconds: 30 },
    watch: { windows: 3, windowSeconds: 90 },
    soakSeconds: 60,
  });
  await expect(requestOf({ timeout: ["probeSecond=30"] })).rejects.toThrow('known: "prepareSeconds"');
  await expect(requestOf({ watch: ["windows=many"] })).rejects.toThrow("watch.windows");
});

test("every field of a request can be set on the command line, but for those that the range or the line itself decides", async () => {
  const everything = await requestOf({
    ...{ target: "shop", parameter: ["cpu-stress.workers=2"], namespace: "shop", maxProbes: 3, judge: "m" },
    ...{
      task: ["detection"],
      watch: ["windows=3"],
      experiments: 2,
      experimentPath: "easy@1",
      agentSeed: "a",
    },
  });
  const set = new Set(Object.keys(everything));
  const left = Object.keys(ExperimentRequest.shape).filter((name) => !set.has(name));
  // `problems` goes with --suite and --problem, `owner` with sessions, `playbook` with a file, `episodes` with --resume, `reveal` with outside agents.
  expect(left.toSorted()).toEqual([
    "clusters",
    "episodes",
    "id",
    "owner",
    "playbook",
    "priority",
    "problems",
    "reveal",
  ]);
});

test("--suite takes a suite of faults too, on --env", async () => {
  const first = { experiments: 2, env: "simple-macro", suiteOn: "simple-macro" };
  expect(await requestOf({ suite: "easy@1", ...first })).toMatchObject({
    ...{ environment: "simple-macro", failures: "easy@1", cases: [0, 1] },
  });
  expect(await requestOf({ suite: "easy@1" })).not.toHaveProperty("problems");
});

test("a wrong --suite is said of the option, and any suite may be meant", async () => {
  await expect(requestOf({ suite: "esy@1" })).rejects.toThrow(
    /^--suite: no suite is called "esy@1"; did you mean .*"easy@1"/,
  );
  await expect(requestOf({ suite: "range" })).rejects.toThrow(
    '--suite: no suite is called "range"; say which version: "range@1", "range@2" or "range@3"',
  );
  await expect(requestOf({ suite: "zzzzzzzzzzzzzz@77" })).rejects.toThrow(/known: .*"easy@1".*"range@3"/);
});

test("--env with --suite asks for the suite's problems on that environment alone", async () => {
  const { problems = [] } = await requestOf({ suite: "range@3", suiteOn: "simple-micro", experiments: 2 });
  expect(problems.length).toBeGreaterThan(100);
  for (const id of problems) expect(id).toMatch(/^range@3\/simple-micro-/);
  expect(await requestOf({ suite: "range@3" })).toMatchObject({ problems: "range@3" });
  await expect(requestOf({ suite: "range@3", suiteOn: "simple-macro" })).rejects.toThrow(
    /range@3 has no problem on "simple-macro"; it has problems on .*"simple-micro"/,
  );
});
