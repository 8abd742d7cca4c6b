import type { CustomResource, Kind, KubeObject } from "@microremed/cluster";
import { type Call, flagOf, isSet } from "./call.ts";
import { KubectlFailure } from "./failures.ts";
import { kindNamed, kindsNamed, resourceName } from "./resources.ts";

/** What a call's operands name: kinds as a whole, or objects by name. */
export interface Selection {
  readonly kinds: readonly Kind[];
  /** Empty: all of the kinds that the selectors leave. */
  readonly names: readonly { readonly kind: Kind; readonly name: string }[];
}

/** `pods`, `pods a b`, `pod/a deploy/b`, `deploy,sts`. */
export function readSelection(operands: readonly string[], custom: readonly CustomResource[]): Selection {
  const [first = "", ...rest] = operands;
  if (first === "") throw new KubectlFailure("error: You must specify the type of resource to get.");
  if (first.includes("/")) {
    const names = operands.map((operand) => {
      const [kind = "", name = ""] = operand.split("/");
      if (name === "")
        throw new KubectlFailure(`error: arguments in resource/name form may not have more than one slash`);
      return { kind: kindNamed(kind, custom), name };
    });
    return { kinds: [...new Set(names.map(({ kind }) => kind))], names };
  }
  const kinds = kindsNamed(first, custom);
  return { kinds, names: rest.flatMap((name) => kinds.map((kind) => ({ kind, name }))) };
}

/** The objects that a call is about. Throws kubectl's word for one that is not there, unless that is to be ignored. */
export async function findObjects(call: Call, selection: Selection): Promise<readonly KubeObject[]> {
  const { cluster, namespace } = call;
  if (selection.names.length === 0) {
    const labelSelector = flagOf(call, "selector");
    const fieldSelector = flagOf(call, "field-selector");
    const scope = {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
    return (await Promise.all(selection.kinds.map((kind) => cluster.list(kind, scope)))).flat();
  }
  const found: KubeObject[] = [];
  for (const { kind, name } of selection.names) {
    const object = await cluster.get(kind, namespace, name);
    if (object) found.push({ ...object, apiVersion: kind.apiVersion, kind: kind.kind });
    else if (!isSet(call, "ignore-not-found")) throw notFound(kind, name);
  }
  return found;
}

export function notFound(kind: Kind, name: string): KubectlFailure {
  const [resource = ""] = resourceName(kind, "").split("/");
  const [singular = "", ...group] = resource.split(".");
  const plural = [singular.endsWith("s") ? singular : `${singular}s`, ...group].join(".");
  return new KubectlFailure(`Error from server (NotFound): ${plural} ${JSON.stringify(name)} not found`);
}

export const kindOf = ({ apiVersion = "", kind = "" }: KubeObject): Kind => ({ apiVersion, kind });

/** `deployment.apps/cart` */
export const nameOf = (object: KubeObject): string => resourceName(kindOf(object), object.metadata.name);
