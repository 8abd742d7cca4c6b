import { environments, renderManifests } from "@microremed/environments";
import type { NewObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { validateStatefulSet } from "./workloads.ts";

const statefulSet = renderManifests(environments.get("train-ticket"), { namespace: "arena" }).find(
  ({ metadata, kind }) => kind === "StatefulSet" && metadata.name === "tsdb-mysql",
);

/** Messages about mounts only: the object has not been through defaulting. */
const aboutMounts = (object: object): readonly string[] =>
  validateStatefulSet(object as NewObject, undefined).flatMap(({ field, message }) =>
    field?.includes("volumeMounts") ? [`${field}: ${message}`] : [],
  );

test("a StatefulSet's containers may mount its claims, and nothing that is not there", () => {
  expect(statefulSet).toBeDefined();
  expect(aboutMounts(statefulSet ?? {})).toEqual([]);
  const spec = { ...(statefulSet?.["spec"] as object), volumeClaimTemplates: [] };
  expect(aboutMounts({ ...statefulSet, spec }).join()).toContain("data");
});
