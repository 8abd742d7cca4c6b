import { isJsonObject, parseJson } from "@microremed/core";
import type { Cluster } from "./cluster.types.ts";
import { isRefused } from "./cluster-errors.ts";
import { kinds } from "./kinds.ts";
import type { Kind } from "./kube-object.ts";
import type { Transport } from "./transport.types.ts";

/** A kind of custom resources, in namespaces. */
export interface CustomResource extends Kind {
  /** As in paths and in rules of rights. */
  readonly plural: string;
  /** Further names by which kubectl takes it, in lower case. */
  readonly names: readonly string[];
}

/** Annotation of an arena's namespace: the kinds of its system's custom resources, as JSON. */
export const customResourcesAnnotation = "microremed.io/custom-resources";

/** No system has more kinds of its own. */
const mostKinds = 50;
/** Groups whose resources are asked for: more than any cluster has. */
const mostGroups = 200;
const ownGroup = /(^|\.)k8s\.io$|^(apps|batch|autoscaling|policy|extensions)$/;

/** The custom resources of the system in an arena, as it was deployed. Empty: it has none, or there is no such arena. */
export async function customResourcesOf(
  cluster: Pick<Cluster, "get">,
  namespace: string,
): Promise<readonly CustomResource[]> {
  const found = await cluster.get(kinds.namespace, undefined, namespace);
  return readCustomResources(found?.metadata.annotations?.[customResourcesAnnotation]);
}

/** Reads the annotation; what is none is none. */
export function readCustomResources(text: string | undefined): readonly CustomResource[] {
  const list = text === undefined ? undefined : parseJson(text);
  return Array.isArray(list) ? (list.filter(isJsonObject).slice(0, mostKinds) as never) : [];
}

interface ApiGroups {
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion: { readonly groupVersion: string };
  }[];
}
interface ApiResources {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
  }[];
}

/** What the API server serves besides Kubernetes' own kinds, by its discovery, which every account may read. */
export async function discoverCustomResources({
  call,
}: Pick<Transport, "call">): Promise<readonly CustomResource[]> {
  const { groups } = await call<ApiGroups>("GET", "/apis");
  const others = groups.filter(({ name }) => !ownGroup.test(name)).slice(0, mostGroups);
  const lists = await Promise.all(
    others.map(async ({ preferredVersion: { groupVersion } }) => {
      const { resources } = await resourcesOf(call, groupVersion);
      return resources
        .filter(({ name, namespaced }) => namespaced && !name.includes("/"))
        .map(({ name, kind, singularName = "", shortNames = [] }) => ({
          apiVersion: groupVersion,
          kind,
          plural: name,
          names: [singularName, ...shortNames].filter(Boolean),
        }));
    }),
  );
  return lists.flat();
}

/** A group whose server is down has none. */
async function resourcesOf(call: Transport["call"], groupVersion: string): Promise<ApiResources> {
  try {
    return await call<ApiResources>("GET", `/apis/${groupVersion}`);
  } catch (error) {
    if (isRefused(error, 404) || isRefused(error, 503)) return { resources: [] };
    throw error;
  }
}
