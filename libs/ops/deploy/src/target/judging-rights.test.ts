import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KubeObject, pathOf } from "@microremed/cluster";
import { judgedKinds } from "@microremed/inventory";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { k8sRoot } from "../places.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What a service's account may do in every namespace of a cluster under test. */
function rulesOf(account: string): readonly Rule[] {
  const text = readFileSync(join(k8sRoot, "target", `${account}.yaml`), "utf8");
  const roles = (loadAll(text) as KubeObject[]).filter(({ kind }) => kind === "ClusterRole");
  return roles.flatMap((role) => role["rules"] as Rule[]);
}

const has = (list: readonly string[], one: string): boolean => list.includes(one) || list.includes("*");

test.each(["injector", "verifier"])("the %s may list every kind by which an arena is judged", (account) => {
  const rules = rulesOf(account);
  const closed = judgedKinds.filter(({ apiVersion, kind }) => {
    const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
    const resource = pathOf({ apiVersion, kind }, undefined).split("/").at(-1) ?? "";
    return !rules.some(
      ({ apiGroups, resources, verbs }) =>
        apiGroups.includes(group) && has(resources, resource) && verbs.includes("list"),
    );
  });
  expect(closed.map(({ kind }) => kind)).toEqual([]);
});
