import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kind, type KubeObject, kinds, pathOf, putBackKinds } from "@microremed/cluster";
import { readForQuestions } from "@microremed/kubectl/over-cluster";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { k8sRoot } from "../places.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** `<resource>.<group> <verb>` */
function rightsTo({ apiVersion, kind }: Kind, verbs: readonly string[]): string[] {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  const resource = pathOf({ apiVersion, kind }, undefined).split("/").at(-1);
  return verbs.map((verb) => `${resource}${group} ${verb}`);
}

/** Of accounts that the executor makes for agents, and their roles. */
const ofAccounts = new Set(["namespaces", "roles", "rolebindings", "clusterroles", "clusterrolebindings"]);

test("an executor may do in every namespace what the tools of agents need, and nothing more", () => {
  const documents = loadAll(readFileSync(join(k8sRoot, "target", "executor.yaml"), "utf8")) as KubeObject[];
  const rules = documents.flatMap((one) =>
    one.kind === "ClusterRole" ? (one["rules"] as readonly Rule[]) : [],
  );
  const given = rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [] }) =>
    resources
      .filter((resource) => !ofAccounts.has(resource))
      .flatMap((resource) => {
        const names = resourceNames.length > 0 ? ` ${resourceNames}` : "";
        return verbs.map((verb) => `${resource}${apiGroups[0] ? `.${apiGroups[0]}` : ""} ${verb}${names}`);
      }),
  );
  const needed = [
    ...readForQuestions.flatMap(({ kind, verbs }) => rightsTo(kind, verbs)),
    ...putBackKinds.flatMap((kind) => rightsTo(kind, ["get", "list", "create", "update", "delete"])),
    // Events that name a concealed cause.
    ...rightsTo(kinds.event, ["list", "delete"]),
    // It gives agents the webhooks of their arena, by name, and it can give only what it holds itself.
    ...[kinds.mutatingWebhook, kinds.validatingWebhook].flatMap((kind) =>
      rightsTo(kind, ["update", "patch", "delete"]),
    ),
    "services/proxy get jaeger-query:16686,metrics-history:9090",
  ];
  expect([...new Set(given)].sort()).toEqual([...new Set(needed)].sort());
});
