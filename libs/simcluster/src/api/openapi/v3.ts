import { apiGroups, resourceTypes } from "../resources/catalog.ts";
import { apiVersionOf, type ResourceType } from "../resources/resource-type.ts";

const documentName = (group: string, version: string): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;

export function openApiV3Index(): object {
  const names = apiGroups.flatMap((group) =>
    group.versions.map((version) => documentName(group.name, version)),
  );
  return {
    paths: Object.fromEntries(
      names.map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=MICROREMED` }]),
    ),
  };
}

function pathItem(type: ResourceType): [string, object] {
  const namespace = type.namespaced ? "/namespaces/{namespace}" : "";
  const path = `/${documentName(type.group, type.version)}${namespace}/${type.resource}/{name}`;
  const { group, version, kind } = type;
  const query = (name: string): object => ({
    name,
    in: "query",
    schema: { type: "string", uniqueItems: true },
  });
  return [
    path,
    {
      patch: {
        parameters: ["dryRun", "fieldManager", "fieldValidation", "force"].map(query),
        responses: { 200: { description: "OK" } },
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": { group, version, kind },
      },
    },
  ];
}

/** What clients need to see that the server validates fields itself; `name` as in the index. */
export function openApiV3Document(name: string): object | undefined {
  const types = resourceTypes.filter((type) => documentName(type.group, type.version) === name);
  if (types.length === 0) return undefined;
  const [first] = types;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: first ? apiVersionOf(first) : "" },
    paths: Object.fromEntries(types.filter((type) => type.verbs.includes("patch")).map(pathItem)),
    components: { schemas: {} },
  };
}
