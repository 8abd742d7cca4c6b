import type { Environment } from "@microremed/catalogue";
import type { EndpointSlice, Endpoints, KubeObject, Pod } from "@microremed/cluster";
import type { ArenaObjects } from "./read-arena.ts";

const serviceOfSlice = "kubernetes.io/service-name";

/** Endpoints of declared Services with addresses that no pod has which the Service is meant for. */
export function addressFindings(
  { services }: Environment,
  { objects, around }: Pick<ArenaObjects, "objects" | "around">,
): { readonly object: KubeObject; readonly detail: string }[] {
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const lists = [...objects, ...around].filter(
    ({ kind }) => kind === "Endpoints" || kind === "EndpointSlice",
  );
  return lists.flatMap((object) => {
    const service = serviceOf(object);
    const declared = services[service];
    if (!declared) return [];
    const meant = pods.filter(({ metadata }) =>
      Object.entries(declared.selector).every(([label, value]) => metadata.labels?.[label] === value),
    );
    const own = new Set(meant.map(({ status }) => status?.podIP));
    const strange = addressesOf(object).filter((address) => !own.has(address));
    if (strange.length === 0) return [];
    return [
      {
        object,
        detail: `leads Service ${service} to ${strange.slice(0, 5).join(", ")}, which is no pod of it`,
      },
    ];
  });
}

const serviceOf = ({ kind, metadata }: KubeObject): string =>
  kind === "Endpoints" ? metadata.name : (metadata.labels?.[serviceOfSlice] ?? "");

function addressesOf(object: KubeObject): string[] {
  if (object.kind === "Endpoints")
    return ((object as Endpoints).subsets ?? []).flatMap(({ addresses = [] }) =>
      addresses.map(({ ip }) => ip),
    );
  return ((object as EndpointSlice).endpoints ?? []).flatMap(({ addresses = [] }) => addresses);
}
