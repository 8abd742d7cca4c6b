import { apiVersionOf, type ResourceType } from "@microremed/sim-kinds";
import type { LooseRecord } from "@microremed/sim-objects";

/** The PATCH operations of `types`: where clients learn whether the server checks fields and knows dry runs. */
export function patchPaths(
  types: readonly ResourceType[],
  parameter: (name: string) => LooseRecord,
): LooseRecord {
  const paths = types
    .filter((type) => type.verbs.includes("patch"))
    .map((type) => {
      const { group, version, kind } = type;
      const root = group === "" ? "api" : "apis";
      const namespace = type.namespaced ? "/namespaces/{namespace}" : "";
      const patch = {
        parameters: ["dryRun", "fieldManager", "fieldValidation", "force"].map(parameter),
        responses: { 200: { description: "OK" } },
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": { group, version, kind },
      };
      return [`/${root}/${apiVersionOf(type)}${namespace}/${type.resource}/{name}`, { patch }] as const;
    });
  return Object.fromEntries(paths);
}
