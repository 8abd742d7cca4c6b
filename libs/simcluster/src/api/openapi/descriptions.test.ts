import { expect, test } from "vitest";
import { objectStructs } from "../schema/object-schema.ts";
import { platformStructs } from "../schema/platform-schema.ts";
import { podStructs } from "../schema/pod-schema.ts";
import { describeStruct } from "./descriptions.ts";

test("says what a struct and its fields are for", () => {
  const { description, fields } = describeStruct("apps/Deployment");
  expect(description).toContain("enables declarative updates for Pods and ReplicaSets");
  expect(fields.get("kind")).toContain("REST resource this object represents");
  expect(describeStruct("DeploymentSpec").fields.get("replicas")).toContain("Number of desired pods");
});

test("knows every struct that is served, and nothing of others", () => {
  const served = Object.keys({ ...objectStructs, ...podStructs, ...platformStructs });
  expect(served.filter((struct) => describeStruct(struct).description === "")).toEqual([]);
  expect(describeStruct("NoSuchStruct")).toEqual({ description: "", fields: new Map() });
});
