import {
  type ApiGroup,
  apiVersionOf,
  type ResourceType,
  type Served,
  type Subresource,
} from "@microremed/sim-kinds";

/** 1.31: for it kubectl sends JSON bodies only; from 1.32 on it would send protobuf. */
export const kubernetesVersion = {
  major: "1",
  minor: "31",
  gitVersion: "v1.31.9",
  gitCommit: "b5fb1a4f4a4a3d2b6c9dce5e4b1f1b6f4d7c3a21",
  gitTreeState: "clean",
  buildDate: "2025-05-15T08:19:08Z",
  goVersion: "go1.23.8",
  compiler: "gc",
  platform: "linux/amd64",
};

function typesIn(served: Served, group: string, version: string): readonly ResourceType[] {
  return served.types.filter((type) => type.group === group && type.version === version);
}

function kindOf(type: ResourceType, sub: Subresource): { group: string; version: string; kind: string } {
  return { group: sub.group ?? type.group, version: sub.version ?? type.version, kind: sub.kind };
}

function aggregatedResource(type: ResourceType): object {
  const { group, version, kind } = type;
  return {
    resource: type.resource,
    responseKind: { group, version, kind },
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 && { shortNames: type.shortNames }),
    ...(type.categories.length > 0 && { categories: type.categories }),
    ...(type.subresources.length > 0 && {
      subresources: type.subresources.map((sub) => ({
        subresource: sub.name,
        responseKind: kindOf(type, sub),
        verbs: sub.verbs,
      })),
    }),
  };
}

function aggregatedGroup(served: Served, group: ApiGroup): object {
  return {
    metadata: { ...(group.name && { name: group.name }), creationTimestamp: null },
    versions: group.versions.map((version) => ({
      version,
      resources: typesIn(served, group.name, version).map(aggregatedResource),
      freshness: "Current",
    })),
  };
}

/** Everything in one answer, what kubectl 1.27 and later ask for. `version`: v2 or v2beta1. */
export function aggregatedDiscovery(served: Served, root: "api" | "apis", version: string): object {
  const groups = served.groups.filter((group) => (group.name === "") === (root === "api"));
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => aggregatedGroup(served, group)),
  };
}

/** `/api/v1`, `/apis/apps/v1`; undefined when the version is not served. */
export function resourceList(served: Served, group: string, version: string): object | undefined {
  const types = typesIn(served, group, version);
  if (types.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersionOf({ group, version }),
    resources: types.flatMap((type) => [
      {
        name: type.resource,
        singularName: type.singular,
        namespaced: type.namespaced,
        kind: type.kind,
        verbs: type.verbs,
        ...(type.shortNames.length > 0 && { shortNames: type.shortNames }),
        ...(type.categories.length > 0 && { categories: type.categories }),
      },
      ...type.subresources.map((sub) => ({
        name: `${type.resource}/${sub.name}`,
        singularName: "",
        namespaced: type.namespaced,
        ...(sub.group !== undefined && { group: sub.group, version: sub.version }),
        kind: sub.kind,
        verbs: sub.verbs,
      })),
    ]),
  };
}

function groupBody(group: ApiGroup): object {
  const versions = group.versions.map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  return { name: group.name, versions, preferredVersion: versions[0] };
}

export function apiGroup(served: Served, name: string): object | undefined {
  const group = served.groups.find((candidate) => candidate.name === name && name !== "");
  return group && { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

export function apiGroupList(served: Served): object {
  const groups = served.groups.filter((group) => group.name !== "").map(groupBody);
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

/** `serverAddress`: host and port. */
export function apiVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}
