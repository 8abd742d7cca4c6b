import type { Manifest } from "@microremed/catalogue";
import { ofManifest } from "@microremed/catalogue/environment";
import {
  decode,
  defaulted,
  modelOf,
  type ResourceType,
  resourceTypes,
  storageOf,
  validateObject,
} from "@microremed/sim-kinds";
import { type NewObject, StatusError } from "@microremed/sim-objects";

/**
 * Manifests that an API server refuses, a line each in its words: `Deployment.apps "web" is invalid: ...`. Kinds of other groups, and versions
 * that embedded clusters do not serve, are left to the cluster.
 */
export function refusedByCluster(manifests: readonly Manifest[], namespace: string): string[] {
  return manifests.flatMap((one) => {
    const type = typeOf(one);
    const why = type && refusalOf(type, one, namespace);
    return why === undefined ? [] : [`${ofManifest(one)}: a cluster refuses it: ${why}`];
  });
}

const typeOf = ({ apiVersion, kind }: Manifest): ResourceType | undefined =>
  resourceTypes.find(
    (type) =>
      type.kind === kind && apiVersion === (type.group ? `${type.group}/${type.version}` : type.version),
  );

function refusalOf(type: ResourceType, manifest: Manifest, namespace: string): string | undefined {
  const model = modelOf(type);
  if (model === undefined) return undefined;
  const { value, wrongType } = decode(model, manifest);
  if (wrongType) return wrongType.text;
  const ref = storageOf(type);
  try {
    const placed: NewObject = type.namespaced
      ? { ...value, metadata: { ...value.metadata, namespace } }
      : value;
    const stored = type.stored ? type.stored.toStored(placed) : placed;
    validateObject(ref, type, stored, undefined, "shape");
    validateObject(ref, type, defaulted(type, ref, stored), undefined, "values");
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    // The rules read an object whose lists and maps are there.
    if (error instanceof TypeError) return `it cannot be handled as a ${type.kind}`;
    throw error;
  }
}
