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

test("effects of tolerations and numbers of users are those that Kubernetes has", () => {
  const problems = (podSpec: object): readonly string[] => {
    const spec = statefulSet?.["spec"] as { readonly template: { readonly spec: object } };
    const template = { ...spec.template, spec: { ...spec.template.spec, ...podSpec } };
    return validateStatefulSet(
      { ...statefulSet, spec: { ...spec, template } } as NewObject,
      undefined,
    ).flatMap(({ field, message }) =>
      /tolerations|securityContext/.test(field ?? "") ? [`${field}: ${message}`] : [],
    );
  };
  expect(problems({ tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute" }] })).toEqual([]);
  expect(problems({ tolerations: [{ key: "a" }, { key: "a", effect: "NoSchedul" }] })).toEqual([
    'spec.template.spec.tolerations[1].effect: Unsupported value: "NoSchedul": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ]);
  expect(problems({ securityContext: { runAsUser: 0, fsGroup: 1000 } })).toEqual([]);
  expect(problems({ securityContext: { runAsUser: -1, runAsGroup: 2 ** 31 } })).toEqual([
    "spec.template.spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
    "spec.template.spec.securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
  ]);
});
