import type { KubeObject } from "@microremed/sim-objects";

/** JSON of stored objects, which never change: written once for all who read them. */
export interface JsonCache {
  object(object: KubeObject): Buffer;
  /** As PartialObjectMetadata. */
  metadata(object: KubeObject): Buffer;
}

/**
 * Of each kind of JSON. Several times what a large cluster holds at a moment; without it the JSON of every change would be
 * kept for as long as the history of its resource is.
 */
const defaultMostBytes = 16 * 2 ** 20;

/** What was read longest ago is forgotten when there is more than `mostBytes`, and written again if it is read again. */
export function createJsonCache(mostBytes = defaultMostBytes): JsonCache {
  const kept = (write: (object: KubeObject) => object): ((object: KubeObject) => Buffer) => {
    const known = new Map<KubeObject, Buffer>();
    let size = 0;
    const makeRoom = (): void => {
      for (const [oldest, { length }] of known) {
        if (size <= mostBytes) return;
        known.delete(oldest);
        size -= length;
      }
    };
    return (object) => {
      const found = known.get(object);
      const bytes = found ?? ownBytes(JSON.stringify(write(object)));
      known.delete(object);
      known.set(object, bytes);
      if (found) return bytes;
      size += bytes.length;
      makeRoom();
      return bytes;
    };
  };
  return { object: kept((object) => object), metadata: kept(partialMetadata) };
}

/** Not a part of Node's pool: one small text that is kept would keep 64 KiB of others that are not. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function partialMetadata({ metadata }: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
