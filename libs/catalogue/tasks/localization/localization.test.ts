import { type GroundTruth, nothingWrong } from "@microremed/catalogue";
import { aGradeContext, aShop } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import localization from "./index.ts";

type Truth = Pick<GroundTruth, "objects" | "affected">;
const wrongAt = (kind: string, name: string): Truth["objects"][number] => ({
  kind,
  name,
  field: "spec",
  wrong: "1",
  right: "2",
});
const brokenCart: GroundTruth = { ...nothingWrong, objects: [wrongAt("Deployment", "cart")] };
/** The chaos object is not to be seen: what it acts on is. */
const stressedDb: GroundTruth = {
  ...nothingWrong,
  objects: [wrongAt("StressChaos", "cpu")],
  affected: [
    { kind: "Service", name: "db" },
    { kind: "StatefulSet", name: "db" },
  ],
};

const object = (text: string) => {
  const [kind = "", name = "", namespace] = text.split("/");
  return { kind, name, ...(namespace !== undefined && { namespace }) };
};
const grade = (truths: readonly GroundTruth[], objects: readonly string[]) =>
  localization.grade(aGradeContext(truths, { objects: objects.map(object) }));

test.each([
  ["the object", [brokenCart], ["Deployment/cart"]],
  ["kinds as kubectl takes them", [brokenCart], ["deployments.apps/cart"]],
  ["the same in its namespace", [brokenCart], ["deploy/cart/shop-1"]],
  ["a pod of it", [brokenCart], ["Pod/cart-7bf4d8c9b6-x2x4z"]],
  ["its ReplicaSet", [brokenCart], ["rs/cart-7bf4d8c9b6"]],
  ["one object twice", [brokenCart], ["Deployment/cart", "Pod/cart-7bf4d8c9b6-x2x4z", "deploy/cart"]],
  ["what a hidden object acts on", [stressedDb], ["StatefulSet/db"]],
  ["a pod of that", [stressedDb], ["Pod/db-0"]],
  ["all of two, in any order", [brokenCart, stressedDb], ["sts/db", "deploy/cart"]],
  ["nothing where nothing is wrong", [], []],
])("is right: %s", async (_, truths, objects) => {
  const given = await grade(truths, objects);
  expect(given).toMatchObject({ passed: true, score: 1 });
  expect(new Set(Object.values(given.parts))).toEqual(new Set([1]));
});

test.each([
  ["a kind with its group and version", { kind: "apps/v1/Deployment", name: "cart" }],
  ["a name as kubectl prints it", { kind: "Deployment", name: "deployment/cart" }],
  ["a name with kubectl's full kind", { kind: "deploy", name: "deployment.apps/cart" }],
])("is right: %s", async (_, named) => {
  const context = aGradeContext([brokenCart], { objects: [named] });
  expect(await localization.grade(context)).toMatchObject({ passed: true, score: 1 });
});

test("is wrong: a name with another kind before it", async () => {
  const named = { kind: "Deployment", name: "service/cart" };
  const context = aGradeContext([brokenCart], { objects: [named] });
  expect(await localization.grade(context)).toMatchObject({ passed: false, score: 0 });
});

test.each([
  ["nothing", [brokenCart], []],
  ["something where nothing is", [], ["Deployment/cart"]],
  ["another namespace's", [brokenCart], ["Deployment/cart/kube-system"]],
  ["letters of another case", [brokenCart], ["Deployment/Cart"]],
  ["a hidden object's own name", [stressedDb], ["StressChaos/cpu"]],
  ["a name that begins alike", [brokenCart], ["Pod/cart-db-0"]],
])("is wrong in every part: %s", async (_, truths, objects) => {
  const given = await grade(truths, objects);
  expect(given).toMatchObject({ passed: false, score: 0 });
  expect(new Set(Object.values(given.parts))).toEqual(new Set([0]));
});

test.each([
  ["its Service", ["Service/cart"], 1 / 2],
  ["what it reads", ["ConfigMap/settings"], 1 / 2],
  ["its caller", ["Deployment/web"], 1 / 3],
  ["a pod of what it calls", ["Pod/db-0"], 1 / 3],
  ["its caller's other callee", ["Deployment/ads"], 1 / 4],
  ["a node", ["Node/n1"], 0],
  ["two wrong ones", ["Deployment/web", "Deployment/ads"], 1 / 3 / 2],
])("credit by distance alone: %s", async (_, objects, distance) => {
  const { score, parts } = await grade([brokenCart], objects);
  expect({ score, ...parts }).toMatchObject({ score: 0, f1: 0, exact: 0, top5: 0 });
  expect(parts["distance"]).toBeCloseTo(distance);
});

test("one of two is half a recall; a wrong one more is less precise, and where it stands counts for top-k", async () => {
  const both = [brokenCart, stressedDb];
  expect((await grade(both, ["Deployment/cart"])).parts).toMatchObject({
    precision: 1,
    recall: 0.5,
    f1: 2 / 3,
    exact: 0,
    top1: 1,
    top3: 0.5,
  });
  const late = ["Deployment/web", "Deployment/ads", "Service/web", "Deployment/cart", "StatefulSet/db"];
  const given = await grade(both, late);
  expect(given.passed).toBe(false);
  expect(given.parts).toMatchObject({ precision: 2 / 5, recall: 1, top1: 0, top3: 0, top5: 1 });
});

test("an answer that lists everything scores badly, one of thousands is refused", async () => {
  const all = [
    ...Object.keys(aShop.workloads).map((name) => `Deployment/${name}`),
    ...Object.keys(aShop.services).map((name) => `Service/${name}`),
    "ConfigMap/settings",
    "StatefulSet/db",
  ];
  const { score, parts } = await grade([brokenCart], all);
  expect(score).toBeLessThan(0.2);
  expect(parts["distance"]).toBeLessThan(0.15);
  const thousands = Array.from({ length: 5000 }, (_, i) => `Deployment/cart-${i}`);
  expect(await grade([brokenCart], ["Deployment/cart", ...thousands])).toMatchObject({
    passed: false,
    score: 0,
    reason: expect.stringContaining("objects"),
  });
});

test("the question says nothing of the incident", () => {
  expect(localization.question({ environment: "shop", namespace: "shop-1" })).toContain("shop-1");
  expect(localization.mayAct).toBe(false);
});
