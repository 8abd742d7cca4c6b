import { modelOf, resourceTypes } from "@microremed/sim-kinds";
import { expect, test } from "vitest";
import { modelsFrom } from "./definition-names.ts";
import { describeModel } from "./descriptions.ts";

test("says what a struct and its fields are for, and which it must have", () => {
  const { description, fields } = describeModel("V1Deployment");
  expect(description).toContain("enables declarative updates for Pods and ReplicaSets");
  expect(fields.get("kind")).toContain("REST resource this object represents");
  const spec = describeModel("V1DeploymentSpec");
  expect(spec.fields.get("replicas")).toContain("Number of desired pods");
  expect(spec.fields.has("selector")).toBe(false);
  expect(spec.required).toEqual(["selector", "template"]);
});

test("knows every struct that is served, and nothing of others", () => {
  const served = modelsFrom(resourceTypes.flatMap((type) => modelOf(type) ?? []));
  expect(served.size).toBeGreaterThan(300);
  expect([...served].filter((model) => describeModel(model).description === "")).toEqual([]);
  expect(describeModel("V1NoSuchStruct")).toEqual({ description: "", fields: new Map(), required: [] });
});
