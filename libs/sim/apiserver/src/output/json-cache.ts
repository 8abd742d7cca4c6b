import type { KubeObject } from "@microremed/sim-objects";

/** JSON of stored objects, which never change: written once for all who read them. */
export interface JsonCache {
  object(object: KubeObject): Buffer;
  /** As PartialObjectMetadata. */
  metadata(object: KubeObject): Buffer;
}

export function createJsonCache(): JsonCache {
  const kept = (write: (object: KubeObject) => object): ((object: KubeObject) => Buffer) => {
    const known = new WeakMap<KubeObject, Buffer>();
    return (object) => {
      let bytes = known.get(object);
      if (!bytes) {
        bytes = Buffer.from(JSON.stringify(write(object)));
        known.set(object, bytes);
      }
      return bytes;
    };
  };
  return { object: kept((object) => object), metadata: kept(partialMetadata) };
}

function partialMetadata({ metadata }: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
