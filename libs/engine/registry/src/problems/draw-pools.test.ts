import { defineSuite, type Problem, type ProblemPool } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { builtInCatalogue } from "../built-in-catalogue.ts";
import { partsOf } from "../testing/parts-of.ts";
import { createBags } from "./create-bags.ts";
import { problemsAt, resolveProblems } from "./resolve-problems.ts";

const catalogue = await builtInCatalogue();
const parts = partsOf(catalogue);

type Pool = Partial<ProblemPool>;
const resolve = (pool: Pool, name = "mine@1") =>
  resolveProblems(
    {
      entry: defineSuite({
        name,
        description: "mine",
        defaults: { tasks: ["detection", "mitigation"] },
        pools: [{ environments: ["simple-micro", "online-boutique"], each: 12, ...pool }],
      }),
      file: "FILE",
      files: [],
    },
    parts,
  );

const faults = { compute: ["cpu-stress", "pod-fail"], network: ["network-delay", "network-loss"] };
const countOf = (problems: readonly Problem[], of: (problem: Problem) => string): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(problems, of)]
      .map(([key, { length }]) => [key, length] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

test("every value is dealt as often as any other, in an order that is not that of another bag", () => {
  const deal = createBags(createRng(1));
  const letters = Array.from({ length: 30 }, () => deal("letters", ["a", "b", "c"]));
  const digits = Array.from({ length: 30 }, () => deal("digits", [1, 2, 3]));
  for (const letter of ["a", "b", "c"]) expect(letters.filter((one) => one === letter)).toHaveLength(10);
  expect(new Set(letters.map((letter, i) => `${letter}${digits[i]}`)).size).toBeGreaterThan(3);
  expect(() => deal("nothing", [])).toThrow(RangeError);
});

test("each task has as many problems in each environment, and as many without a fault", () => {
  const { problems, wrong } = resolve({ faults, healthy: 4 });
  expect(wrong).toEqual([]);
  expect(
    countOf(problems, ({ environment, tasks, incident }) => `${environment} ${tasks} ${incident.length}`),
  ).toEqual({
    "online-boutique detection 0": 4,
    "online-boutique detection 1": 8,
    "online-boutique mitigation 0": 4,
    "online-boutique mitigation 1": 8,
    "simple-micro detection 0": 4,
    "simple-micro detection 1": 8,
    "simple-micro mitigation 0": 4,
    "simple-micro mitigation 1": 8,
  });
  const faulty = problems.filter(({ incident }) => incident.length > 0);
  expect(countOf(faulty, ({ incident }) => incident[0]?.fault ?? "")).toEqual({
    "cpu-stress": 8,
    "network-delay": 8,
    "network-loss": 8,
    "pod-fail": 8,
  });
});

test("loads and numbers of noises are as frequent with a fault and without", () => {
  const { problems } = resolve({
    faults,
    healthy: 4,
    loads: ["usual", { shape: "constant", factor: 3 }],
    noises: ["failed-job", "scaled-out", "warning-event"],
    noisesEach: [0, 1],
  });
  const counts = countOf(
    problems,
    ({ incident, workload, noise }) => `${incident.length} ${workload?.shape ?? "usual"} ${noise.length}`,
  );
  const sum = (of: RegExp): number =>
    Object.entries(counts).reduce((all, [key, count]) => (of.test(key) ? all + count : all), 0);
  expect([sum(/^0 usual/), sum(/^0 constant/), sum(/^1 usual/), sum(/^1 constant/)]).toEqual([8, 8, 16, 16]);
  expect([sum(/^0 .* 0/), sum(/^0 .* 1/), sum(/^1 .* 0/), sum(/^1 .* 1/)]).toEqual([8, 8, 16, 16]);
});

test("a fault that nothing in the cluster says how to repair is not drawn where agents repair", () => {
  const { problems, wrong } = resolve({
    environments: ["train-ticket"],
    faults: { programs: ["configmap-deleted", "replicas-zero"] },
    healthy: 0,
  });
  expect(wrong).toEqual([]);
  expect(countOf(problems, ({ tasks, incident }) => `${tasks} ${incident[0]?.fault}`)).toEqual({
    "detection configmap-deleted": 6,
    "detection replicas-zero": 6,
    "mitigation replicas-zero": 12,
  });
});

test("neither the name nor the place of a problem says what is wrong", () => {
  const { problems } = resolve({ faults, healthy: 4 });
  for (const { id } of problems)
    expect(id).toMatch(/^mine@1\/(simple-micro|online-boutique)-(detection|mitigation)-\d\d$/);
  const healthy = problems.flatMap(({ incident }, i) => (incident.length === 0 ? [i] : []));
  expect(healthy).not.toEqual(healthy.map((_, i) => (healthy[0] ?? 0) + i));
  expect(new Set(problems.map(({ id }) => id)).size).toBe(problems.length);
});

test("a noise is drawn without regard to the fault: it may be where the fault is", () => {
  const { problems } = resolve({
    faults,
    environments: ["simple-micro"],
    noises: ["scaled-out"],
    noisesEach: [1],
  });
  const together = problems.filter(({ incident, noise }) => noise[0]?.target === incident[0]?.target);
  expect(together.length).toBeGreaterThan(0);
  expect(together.length).toBeLessThan(problems.length);
  expect(new Set(problems.map(({ noise }) => noise[0]?.ago)).size).toBeGreaterThan(3);
});

test("what a noise sets is drawn for each problem", () => {
  const { problems, wrong } = resolve({ noises: ["failed-job"], noisesEach: [1], healthy: 12 });
  expect(wrong).toEqual([]);
  const jobs = problems.map(({ noise }) => noise[0]?.parameters?.["job"]);
  expect(new Set(jobs).size).toBeGreaterThan(0.9 * jobs.length);
});

test("faults of one incident are on different workloads, and come as its shape says", () => {
  const { problems, wrong } = resolve({
    faults,
    parameters: { "network-loss": [{}, { percent: 80 }] },
    incidents: [
      { faults: 2, apart: 30, cascade: true },
      { faults: 2, apart: 45, cascade: false },
      { faults: 1, apart: 60, cascade: false, flap: { onSeconds: 40, offSeconds: [40, 90] } },
    ],
  });
  expect(wrong).toEqual([]);
  for (const { incident } of problems)
    expect(new Set(incident.map(({ target }) => target)).size).toBe(incident.length);
  const shapes = countOf(problems, ({ incident: [first, second] }) => {
    if (!second) return first?.flap ? "flap" : "one";
    return `${second.at} after ${second.after}`;
  });
  expect(shapes).toEqual({ "30 after 0": 16, "45 after undefined": 16, flap: 16 });
  const losses = problems.flatMap(({ incident }) => incident.filter(({ fault }) => fault === "network-loss"));
  expect(
    countOf(losses as never, (one) => JSON.stringify((one as never as { parameters?: object }).parameters)),
  ).toHaveProperty('{"percent":80}');
});

test("the suite's name is the seed", () => {
  const said = (name: string) =>
    resolve({ faults, healthy: 4 }, name).problems.map(({ incident }) => incident[0]?.target);
  expect(said("mine@1")).toEqual(said("mine@1"));
  expect(said("mine@1")).not.toEqual(said("mine@2"));
});

test("with a seed the incidents stay, and what is around them is another with each seed, where nothing is wrong too", () => {
  const pools = [
    {
      ...{ environments: ["online-boutique"], each: 30, healthy: 10, faults },
      ...{ noises: ["failed-job", "scaled-out", "warning-event", "chatty-log"], noisesEach: [1, 2] },
      ...{ standIns: ["scaled-out", "image-renamed"], ago: [60, 600] },
    },
  ];
  const suite = {
    entry: defineSuite({
      name: "mine@1",
      description: "mine",
      defaults: { tasks: ["detection"] },
      pools,
    } as never),
    ...{ file: "FILE", files: [] },
  };
  const own = resolveProblems(suite, parts).problems;
  const at = (seed: number) => problemsAt(suite, parts, seed, own);
  const [first, second] = [at(1), at(2)];
  expect(at(1)).toEqual(first);
  for (const [of, other] of [
    [own, first],
    [first, second],
  ] as const) {
    const of2 = new Map(other.map((one) => [one.id, one]));
    for (const { id, incident } of of) expect(of2.get(id)?.incident).toEqual(incident);
    const alike = of.filter(({ id, noise, askedAfter }) => {
      const { noise: others, askedAfter: then } = of2.get(id) ?? {};
      return JSON.stringify([noise, askedAfter]) === JSON.stringify([others, then]);
    });
    expect(alike.length).toBeLessThan(3);
  }
  const counts = (some: readonly Problem[]) =>
    countOf(some, ({ incident, noise }) => `${incident.length > 0} ${noise.length}`);
  expect(counts(first)["true 1"]).toBe(counts(second)["true 1"]);
});

test("a pool in which an alarm always in the same window solves more than none is refused", () => {
  const wrongIn = (pool: Pool): string[] =>
    resolve({ faults, tasks: ["monitoring"], ...pool }).wrong.map(
      ({ field, expected }) => `${field}: ${expected}`,
    );
  const watch = { windows: 5, windowSeconds: 180, withinWindows: 3 };
  // 8 faults: within 3 of 5 windows 4.8 of them are found blindly, within 2 3.2.
  expect(wrongIn({ healthy: 4, watch })).toEqual([
    "pools[0].watch.withinWindows: at most 2 of 5 `windows`, not 3: an alarm always in the same one would solve more problems than none",
  ]);
  expect(wrongIn({ healthy: 4, watch: { ...watch, withinWindows: 2 } })).toEqual([]);
  expect(wrongIn({ healthy: 4 })).toEqual([]);
  expect(wrongIn({ healthy: 4, watch, tasks: ["detection"] })).toEqual([]);
  expect(wrongIn({ healthy: 0 })).toEqual([
    "pools[0].healthy: more `healthy` problems than 0 of 12: an alarm always in the same window would solve more than none",
  ]);
});

test("names what is wrong in a pool, where it is written", () => {
  const wrongIn = (pool: Pool): string[] =>
    resolve(pool).wrong.map(({ field, expected }) => `${field}: ${expected}`);
  expect(wrongIn({ faults: { compute: ["cpu-stres"] }, healthy: 12 })).toEqual([
    'pools[0].faults.compute: the name of a fault that is loaded, not "cpu-stres"; did you mean "cpu-stress"?',
  ]);
  expect(wrongIn({ healthy: 13 })).toContain("pools[0].healthy: at most `each` (12), not 13");
  expect(wrongIn({ healthy: 3, environments: ["simple-micro"] })).toEqual([
    "pools[0].faults: a fault that simple-micro can have",
  ]);
  expect(wrongIn({ healthy: 12, noisesEach: [1] })).toEqual([
    "pools[0].noisesEach: at most as many as there are `noises` (0), not 1",
  ]);
  expect(wrongIn({ faults, parameters: { "cpu-stress": [{ wrokers: 3 }] } })).toEqual([
    'pools[0].parameters.cpu-stress[0].wrokers: a parameter of cpu-stress, not "wrokers"; did you mean "workers"?',
  ]);
  expect(
    wrongIn({
      faults: { programs: ["image-not-found"] },
      incidents: [{ faults: 1, apart: 0, cascade: false, flap: { onSeconds: 40, offSeconds: 40 } }],
    }),
  ).toEqual([
    expect.stringMatching(/^pools\[0\]\.incidents\[0\]\.flap: nothing: image-not-found only stays/),
  ]);
});

test("where nothing is wrong the same field is changed as a fault would change, and always on two workloads", () => {
  const twins = ["scaled-out", "image-renamed", "spread-preferred"];
  const { problems } = resolve({
    faults: { one: ["image-not-found"] },
    environments: ["online-boutique"],
    healthy: 6,
    noises: twins,
    standIns: twins,
  });
  const healthy = problems.filter(({ incident }) => incident.length === 0);
  expect(healthy.length).toBeGreaterThan(0);
  for (const { noise } of healthy) expect(noise[0]?.noise).toBe("image-renamed");
  for (const { noise } of problems)
    expect(new Set(noise.map(({ target }) => target)).size).toBeGreaterThan(1);
});

test("as much is changed harmlessly beside a fault that no change log shows as where nothing is wrong, anywhere", () => {
  const twins = [
    "scaled-out",
    "image-renamed",
    "spread-preferred",
    "limits-raised",
    "probe-period",
    "surge-raised",
  ];
  const problemsOf = (fault: string, healthy: number, more: string[] = []) =>
    resolve({
      faults: { one: [fault] },
      environments: ["online-boutique"],
      noises: twins,
      noisesEach: [1],
      ...{ healthy, each: 6, standIns: [...twins, ...more] },
    }).problems;
  const hidden = problemsOf("cpu-stress", 0);
  const onFailed = hidden.filter(({ incident, noise }) => noise[0]?.target === incident[0]?.target);
  expect(onFailed.length).toBeLessThan(hidden.length);
  const changesOf = (problems: readonly Problem[]) => [...new Set(problems.map(({ noise }) => noise.length))];
  expect(changesOf([...hidden, ...problemsOf("image-not-found", 6)])).toEqual([3]);
  // What looks like it makes two lines where nothing is wrong, of a rollout and of a new Service: so another Service is new here.
  const waiting = problemsOf("init-container-hang", 0, ["wait-for-new", "service-corrected"]);
  for (const { noise } of waiting) expect(noise.map((one) => one.noise)).toContain("service-corrected");
  // With that of the fault it is as many.
  expect(changesOf(problemsOf("image-not-found", 0))).toEqual([2]);
});

test("nothing harmless brings new pods to a workload while a fault acts on them, also not one of several", () => {
  const { problems, wrong } = resolve({
    faults: { one: ["network-loss", "cpu-stress"] },
    incidents: [{ faults: 2, apart: 60, cascade: false }],
    noises: ["image-renamed"],
    noisesEach: [0, 1],
    standIns: ["image-renamed", "limits-raised", "probe-period", "warning-event"],
  });
  expect(wrong).toEqual([]);
  const tooLate = problems.flatMap(({ incident, noise }) =>
    noise.filter(({ ago = 0, target }) => ago < 0 && incident.some((one) => one.target === target)),
  );
  expect(tooLate).toEqual([]);
  expect(problems.some(({ noise }) => noise.some(({ ago = 0 }) => ago < 0))).toBe(true);
});

test("nor to the callers of a Service whose fault depends on where they are", () => {
  const name = "internal-traffic-policy-local";
  const { problems } = resolve({
    faults: { one: [name] },
    noises: ["image-renamed", "scaled-out"],
    noisesEach: [2],
  });
  const fault = parts.faults.get(name);
  const tooLate = problems.flatMap(({ environment, incident: [one], noise }) => {
    const system = parts.environments.get(environment);
    const fixed = (one && system && fault?.endedByPodsOf?.(system, one.target)) ?? [];
    return noise.filter(({ ago = 0, target = "" }) => ago < 0 && fixed.includes(target));
  });
  expect(tooLate).toEqual([]);
});

test("nothing harmless is where it would keep a fault from being seen; it is there beside other faults", () => {
  const problemsOf = (fault: string) =>
    resolve({
      faults: { one: [fault] },
      noises: ["init-step", "image-renamed"],
      noisesEach: [2],
      standIns: ["init-step", "wait-for-new", "limits-raised"],
    }).problems;
  const beside = (fault: string) =>
    problemsOf(fault).flatMap(({ incident: [one], noise }) =>
      noise.filter(
        ({ noise: name, target }) => target === one?.target && /^(init-step|wait-for-new)$/.test(name),
      ),
    );
  expect(beside("pod-dns-policy-wrong")).toEqual([]);
  expect(beside("image-not-found")).not.toEqual([]);
});
