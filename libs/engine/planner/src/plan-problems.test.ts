import { createHash } from "node:crypto";
import { isSameField, type Problem } from "@microremed/catalogue";
import { ExperimentRequest } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { planProblems, problemsOf, tasksOfProblems } from "./plan-problems.ts";

const catalogue = await builtInCatalogue();
const elsewhere = catalogue.problems.all().find(({ missing }) => missing.length > 0);
const [easy, other] = ["simple-micro-easy-01", "online-boutique-easy-01"].map((id) => `microremed@1/${id}`);
if (!elsewhere || !easy || !other) throw new Error("the suites lack what these tests need");

const request = (change: object) => ExperimentRequest.parse({ model: ["a", "b"], repeats: 2, ...change });
const plan = (change: object) => {
  const { total, episodes } = planProblems(request(change), catalogue);
  return episodes(0, total);
};

test("each problem is planned on its own environment, at its own tasks, and carries what it says", () => {
  const episodes = plan({ problems: [other, easy] });
  expect(episodes).toHaveLength(2 * 2 * 2);
  expect(episodes.map(({ index }) => index)).toEqual(episodes.map((_, index) => index));
  expect(episodes.map(({ model }) => model)).toEqual(episodes.map((_, i) => ["a", "b"][i % 2]));
  expect(episodes[0]).toMatchObject({
    caseId: `1/${other}`,
    failure: "cpu-stress",
    alternatives: [],
    problem: { id: other, environment: "online-boutique", report: "oracle", concealment: "none" },
  });
  expect(episodes[4]?.problem?.environment).toBe("simple-micro");
});

test("cases count the problems at their tasks, and tasks of the request select among them", () => {
  expect(plan({ problems: [other, easy], cases: [1] }).map(({ problem }) => problem?.id)).toEqual(
    Array(4).fill(easy),
  );
  expect(tasksOfProblems(request({ problems: "microremed@1" }), catalogue)).toEqual(["mitigation"]);
  expect(() => plan({ problems: [easy], task: "detection" })).toThrow(
    /have the task detection|has the task detection/,
  );
});

test("a method gets the problems whose task it can do, and every part of a plan is the same as in the whole", () => {
  const asked = {
    problems: "range@1",
    method: ["AlwaysYes", "Player", "RMLAD-like"],
    model: ["a"],
    repeats: 2,
  };
  const { total, episodes } = planProblems(request(asked), catalogue);
  const whole = episodes(0, total);
  expect(whole.map(({ index }) => index)).toEqual(Array.from({ length: total }, (_, index) => index));
  const tasksWith = (method: string) =>
    [...new Set(whole.filter((one) => one.method === method).map(({ task = "mitigation" }) => task))].sort();
  expect(tasksWith("AlwaysYes")).toEqual(["detection", "monitoring"]);
  expect(tasksWith("RMLAD-like")).toEqual(["localization"]);
  expect(tasksWith("Player")).toEqual(tasksOfProblems(request(asked), catalogue).toSorted());
  for (const [from, to] of [
    [0, 7],
    [101, 113],
    [total - 3, total + 5],
    [5, 5],
  ] as const)
    expect(episodes(from, to)).toEqual(whole.slice(from, to));
});

test("a suite runs what can be run; a problem that cannot be, by its name, says what it lacks", () => {
  expect(problemsOf({ problems: "microremed@1", seed: 1 }, catalogue)).toHaveLength(456);
  expect(() => plan({ problems: [elsewhere.id] })).toThrow(`lacks ${elsewhere.missing.join(", ")}`);
  expect(() => plan({ problems: ["microremed@1/none"] })).toThrow(/there is no problem/);
  expect(() => plan({ problems: "lunch@1" })).toThrow(/no suite of problems is called "lunch@1"/);
});

/** Suite -> number of its problems, and a digest of all that they say. A change here is a change of what was published. */
test("published problems keep their names and what they say", () => {
  const digests = catalogue.problems.suites.map((name) => {
    // What is missing of a problem changes as the catalogue grows, and notes explain.
    const said = catalogue.problems.of(name).map(({ missing: _, note: __, title: ___, noise, ...rest }) => ({
      ...rest,
      ...(noise.length > 0 && { noise }),
    }));
    const digest = createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 16);
    return `${name} ${said.length} ${digest}`;
  });
  expect(digests).toMatchInlineSnapshot(`
    [
      "aiopslab@1 89 4gD2JrisEUkg5jJU",
      "microremed@1 456 bZpVoP2WXIZyHP3K",
      "range@1 497 7hheNSuUNA9DL9E1",
      "range@2 314 KrFzAls5FW_R8JRx",
      "range@3 423 v65zpc76hqL52sr0",
      "sregym-lite@1 21 RrHMPM2Ked_PSJLd",
      "sregym@1 123 gZsr4_ALZ-FzTwy_",
    ]
  `);
});

test("values are drawn from the seed where the suite says so, and not where it has those of the faults", () => {
  const parametersAt = (suite: string, seed: number) =>
    plan({ problems: suite, seed, repeats: 1, model: "a" }).map(({ problem }) =>
      JSON.stringify([problem?.parameters, problem?.further]),
    );
  const ofProblems = plan({ problems: "range@2", seed: 7, repeats: 1, model: "a" }).flatMap(({ problem }) =>
    problem ? [[problem.parameters, catalogue.problems.get(problem.id).incident[0]?.parameters]] : [],
  );
  expect(ofProblems.length).toBeGreaterThan(50);
  for (const [planned, said] of ofProblems) expect(planned).toEqual(said);
  expect(parametersAt("range@3", 7)).toEqual(parametersAt("range@3", 7));
  const [one, other] = [parametersAt("range@3", 7), parametersAt("range@3", 8)];
  const drawn = one.filter((values) => values !== "[null,null]").length;
  expect(one.filter((values, i) => values !== other[i]).length).toBeGreaterThan(drawn / 2);
});

test("no noise changes a field that a fault of its problem or another noise changes on the same object", () => {
  const changesOf = ({ environment: name, noise, incident }: Problem) => {
    const environment = catalogue.environments.get(name);
    const ofNoises = noise.map(({ noise: entry, target = "", parameters = {} }) => {
      const { changes = [], decoys } = catalogue.noises.get(entry);
      const objects = decoys({ environment, target, parameters });
      return objects.flatMap((object) => changes.map((field) => ({ ...object, field, by: entry })));
    });
    const ofFaults = incident.flatMap(({ fault, target, parameters = {} }) =>
      catalogue.faults
        .get(fault)
        .truth({ environment, target, parameters })
        .objects.map((one) => ({ ...one, by: fault })),
    );
    return [ofFaults, ...ofNoises];
  };
  // The last one had a volume of two kinds, which the API server refuses.
  const clashes = [undefined, 7, 12].flatMap((seed) =>
    catalogue.problems.of("range@3").flatMap((one) => {
      const problem = seed === undefined ? one : catalogue.problems.at(one, seed);
      const changes = changesOf(problem);
      return changes.flatMap((some, i) =>
        changes
          .slice(i + 1)
          .flat()
          .flatMap((other) => {
            const same = some.find(
              ({ kind, name, field }) =>
                kind === other.kind && name === other.name && isSameField(field, other.field),
            );
            return same
              ? [`${problem.id} at ${seed}: ${same.by} and ${other.by} change ${same.field} of ${same.name}`]
              : [];
          }),
      );
    }),
  );
  expect(clashes).toEqual([]);
});

test("a noise without a target is on a workload that no fault is on, drawn from the seed", () => {
  const noisy = catalogue.problems
    .of("range@1")
    .filter(({ noise, incident }) => incident.length > 0 && noise.some((one) => one.noise === "scaled-out"));
  expect(noisy.length).toBeGreaterThan(0);
  const ids = noisy.map(({ id }) => id);
  const targets = (seed: number) =>
    plan({ problems: ids, seed, repeats: 1, model: "a" }).map(({ target, problem }) => {
      const on = problem?.noise?.find(({ noise }) => noise === "scaled-out")?.target;
      expect(on).not.toBe(target);
      return on;
    });
  expect(targets(1)).toEqual(targets(1));
  expect(targets(1)).not.toEqual(targets(2));
  expect(targets(1).every((one) => one !== undefined && one !== "")).toBe(true);
});

test("times of a fault that comes and goes are drawn from the seed, within the problem's bounds", () => {
  const flaps = [1, 2, 3].map((seed) =>
    plan({
      problems: ["range@1/simple-micro-flapping-01"],
      seed,
      repeats: 1,
      model: "a",
      method: "Player",
      task: "detection",
    }).map(({ problem }) => problem?.flap),
  );
  for (const flap of flaps.flat()) {
    expect(flap?.onSeconds).toBeGreaterThanOrEqual(40);
    expect(flap?.onSeconds).toBeLessThanOrEqual(90);
  }
  expect(new Set(flaps.map((one) => JSON.stringify(one))).size).toBeGreaterThan(1);
});
