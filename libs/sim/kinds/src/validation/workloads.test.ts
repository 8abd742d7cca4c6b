import { environments, renderManifests } from "@microremed/environments";
import type { NewObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { validateCronJob, validateStatefulSet } from "./workloads.ts";

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

test.each([
  ["*/5 8-18/2 1,15 JAN-mar ?", undefined, []],
  ["@daily", "Europe/Berlin", []],
  ["@every 1h30m", undefined, []],
  ["*/0 * * * *", undefined, ["spec.schedule: step of range should be a positive number: */0"]],
  ["99-1 * * * *", undefined, ["spec.schedule: beginning of range (99) beyond end of range (1): 99-1"]],
  ["60 * * * *", undefined, ["spec.schedule: end of range (60) above maximum (59): 60"]],
  ["30-10 * * * *", undefined, ["spec.schedule: beginning of range (30) beyond end of range (10): 30-10"]],
  ["* * 0 * *", undefined, ["spec.schedule: beginning of range (0) below minimum (1): 0"]],
  ["* * * * 7", undefined, ["spec.schedule: end of range (7) above maximum (6): 7"]],
  ["1--2 * * * *", undefined, ["spec.schedule: too many hyphens: 1--2"]],
  ["* * * foo *", undefined, ["spec.schedule: failed to parse int from foo"]],
  ["* * * *", undefined, ["spec.schedule: expected exactly 5 fields, found 4"]],
  ["@every soon", undefined, ["spec.schedule: failed to parse duration @every soon"]],
  ["constructor", undefined, ["spec.schedule: expected exactly 5 fields, found 1"]],
  ["@daily", "Nowhere/Else", ["spec.timeZone: unknown time zone Nowhere/Else"]],
  ["@daily", "+01:00", ["spec.timeZone: unknown time zone +01:00"]],
  ["@daily", "Local", ["spec.timeZone: timeZone must be an explicit time zone"]],
  ["@daily", "", ["spec.timeZone: timeZone must be nil or non-empty string"]],
])("a CronJob's schedule %j in the time zone %j: %j", (schedule, timeZone, expected) => {
  const given = { spec: { schedule, timeZone, concurrencyPolicy: "Allow" } } as unknown as NewObject;
  const problems = validateCronJob(given).flatMap(({ field = "", message = "" }) =>
    field.includes("jobTemplate") ? [] : [`${field}: ${message}`],
  );
  expect(problems).toHaveLength(expected.length);
  for (const [i, one] of expected.entries())
    expect(problems[i]?.replace(/Invalid value: "[^"]*": /, "")).toContain(one);
});
