import { type GroundTruth, nothingWrong } from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import type { Cause } from "./cause.ts";
import analysis from "./index.ts";

const smallCart: GroundTruth = {
  ...nothingWrong,
  objects: [
    {
      kind: "Deployment",
      name: "cart",
      field: "spec.template.spec.containers[name=server].resources.limits",
      wrong: "cpu 2m, memory 200Mi",
      right: "cpu 200m, memory none",
    },
  ],
  mechanism: "resources-too-small",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};
const stressedDb: GroundTruth = {
  ...nothingWrong,
  objects: [{ kind: "StressChaos", name: "cpu", field: "spec.x", wrong: "2 workers", right: "none" }],
  affected: [{ kind: "StatefulSet", name: "db" }],
  mechanism: "resources-taken",
  systemLevel: "Operating System",
  faultType: "Operation Error",
};
const goneService: GroundTruth = {
  ...nothingWrong,
  objects: [{ kind: "Service", name: "ads", field: "", wrong: "there is none", right: "there is one" }],
  mechanism: "wrong-route",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const aboutCart: Cause = {
  object: { kind: "Deployment", name: "cart" },
  field: "spec.template.spec.containers[0].resources.limits",
  wrong: '{"cpu": "0.002", "memory": "200Mi"}',
  right: "cpu: 200m; memory: unset",
  mechanism: "resources-too-small",
  system_level: "Virtualization",
  fault_type: "Misconfiguration",
};
const aboutDb: Cause = {
  object: { kind: "Pod", name: "db-0" },
  field: "",
  wrong: "",
  right: "",
  mechanism: "resources-taken",
  system_level: "Operating System",
  fault_type: "Operation Error",
};
const aboutAds: Cause = {
  ...aboutCart,
  object: { kind: "svc", name: "ads" },
  field: "",
  mechanism: "wrong-route",
};

const grade = (truths: readonly GroundTruth[], causes: readonly Cause[]) =>
  analysis.grade(aGradeContext(truths, { causes }));

test.each([
  ["a wrong field", [smallCart], [aboutCart]],
  ["a cause that cannot be seen", [stressedDb], [aboutDb]],
  ["an object as a whole", [goneService], [aboutAds]],
  ["two, in any order", [smallCart, stressedDb], [aboutDb, aboutCart]],
  ["one twice", [smallCart], [aboutCart, { ...aboutCart, field: "x" }]],
  ["nothing where nothing is wrong", [], []],
])("is right: %s", async (_, truths, causes) => {
  const given = await grade(truths, causes);
  expect(given).toMatchObject({ passed: true, score: 1 });
  expect(new Set(Object.values(given.parts))).toEqual(new Set([1]));
});

test("field and values are asked for where there are some that can be seen", async () => {
  const asked = async (truth: GroundTruth) => Object.keys((await grade([truth], [])).parts);
  const labels = ["mechanism", "system_level", "fault_type", "aiopslab"];
  expect(await asked(smallCart)).toEqual(["object", "field", "wrong", "right", ...labels]);
  expect(await asked(goneService)).toEqual(["object", "field", ...labels]);
  expect(await asked(stressedDb)).toEqual(["object", ...labels]);
});

test.each([
  [
    "another object: no credit for its field and values",
    { object: { kind: "Deployment", name: "web" } },
    ["object", "field", "wrong", "right"],
  ],
  ["another field", { field: "spec.replicas" }, ["field"]],
  ["the values the other way round", { wrong: aboutCart.right, right: aboutCart.wrong }, []],
  ["another mechanism", { mechanism: "network-slow" }, ["mechanism"]],
  ["another layer", { system_level: "Application" }, ["system_level", "aiopslab"]],
  ["another nature", { fault_type: "Code Defect" }, ["fault_type", "aiopslab"]],
] as const)("partial credit: %s", async (_, change, lost) => {
  const { parts, score } = await grade([smallCart], [{ ...aboutCart, ...change } as Cause]);
  expect(Object.keys(parts).filter((part) => parts[part] === 0)).toEqual(lost);
  expect(score).toBeGreaterThan(0.3);
  expect(score).toBeLessThan(1);
});

test("labels do not decide whether it passed, object and mechanism do", async () => {
  const labels = { system_level: "Hardware", fault_type: "Code Defect" } as const;
  expect(await grade([smallCart], [{ ...aboutCart, ...labels }])).toMatchObject({
    passed: true,
    score: 5 / 7,
  });
  expect(await grade([smallCart], [{ ...aboutCart, mechanism: "wrong-probe" }])).toMatchObject({
    passed: false,
  });
  expect(await grade([stressedDb], [])).toMatchObject({ passed: false, score: 0 });
  expect(await grade([], [aboutDb])).toMatchObject({ passed: false, score: 0 });
});

test("a cause for every guess is worth little, more than a few are refused", async () => {
  const guesses = (["network-slow", "packets-lost", "storage-slow", "resources-too-small"] as const).map(
    (mechanism) => ({ ...aboutCart, mechanism }),
  );
  const given = await grade([smallCart], guesses);
  expect(given).toMatchObject({ passed: false, parts: { object: 0.25, mechanism: 0.25 } });
  expect(
    await grade(
      [smallCart],
      Array.from({ length: 1000 }, () => aboutCart),
    ),
  ).toMatchObject({ score: 0 });
});

test("the question has the list of mechanisms and nothing of the incident", () => {
  const words = analysis.question({ environment: "shop", namespace: "shop-1" });
  expect(words).toContain("- unschedulable: ");
  expect(analysis.mayAct).toBe(false);
});

test("who gives a field as the running object shows it is right", async () => {
  const field = "spec.template.spec.containers[name=server].ports";
  const wrong = '[{"containerPort":8080,"protocol":"TCP","hostPort":9100}]';
  const right = '[{"containerPort":8080,"protocol":"TCP"}]';
  const takenPort: GroundTruth = {
    ...smallCart,
    objects: [{ kind: "Deployment", name: "cart", field, wrong, right }],
  };
  expect(await grade([takenPort], [{ ...aboutCart, field, wrong, right }])).toMatchObject({ passed: true });
  const part = { field: `${field}[0].hostPort`, wrong: "9100", right: "absent" };
  expect(await grade([takenPort], [{ ...aboutCart, ...part }])).toMatchObject({ passed: true });
});

test("what only belongs to the cause is right beside it, and not in its place", async () => {
  const [strategy, waits] = [
    { field: "spec.strategy.type", wrong: "Recreate", right: "RollingUpdate" },
    { field: "spec.template.spec.initContainers", wrong: '[{"name":"wait-for-db"}]', right: "none" },
  ];
  const cart = { kind: "Deployment", name: "cart" };
  const unsafe: GroundTruth = {
    ...smallCart,
    objects: [
      { ...cart, ...strategy },
      { ...cart, ...waits, beside: true },
    ],
  };
  const passed = async (...fields: (typeof strategy)[]) =>
    (
      await grade(
        [unsafe],
        fields.map((one) => ({ ...aboutCart, ...one })),
      )
    ).passed;
  expect(await passed(strategy)).toBe(true);
  expect(await passed(strategy, waits)).toBe(true);
  expect(await passed(waits, strategy)).toBe(true);
  expect(await passed(waits)).toBe(false);
});

test("of a field that is left out the cluster's default is right, and that there is none", async () => {
  const passed = async (field: string, right: string, said: string) => {
    const wrongOne = { kind: "Deployment", name: "cart", field, wrong: "batch", right };
    const truth: GroundTruth = { ...smallCart, objects: [wrongOne] };
    return (await grade([truth], [{ ...aboutCart, field, wrong: "batch", right: said }])).passed;
  };
  const scheduler = "spec.template.spec.schedulerName";
  expect(await passed(scheduler, "default-scheduler", "default-scheduler")).toBe(true);
  expect(await passed(scheduler, "default-scheduler", "not set")).toBe(true);
  expect(await passed(scheduler, "default-scheduler", "other-scheduler")).toBe(false);
  // The name of the container is declared.
  expect(await passed("spec.template.spec.containers[name=server].name", "server", "not set")).toBe(false);
});
