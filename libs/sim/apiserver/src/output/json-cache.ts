import { deepFrozen } from "@microremed/core";
import type { KubeObject } from "@microremed/sim-objects";

/** JSON of stored objects, which never change: written once for all who read them. */
export interface JsonCache {
  object(object: KubeObject): Buffer;
  /** What the JSON says, frozen: the same for all who read it. */
  value(object: KubeObject): unknown;
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
  const kept = (write: (object: KubeObject) => object): ((object: KubeObject) => Entry) => {
    const known = new Map<KubeObject, Entry>();
    let size = 0;
    const makeRoom = (): void => {
      for (const [oldest, { bytes }] of known) {
        if (size <= mostBytes) return;
        known.delete(oldest);
        size -= bytes.length;
      }
    };
    return (object) => {
      const found = known.get(object);
      const entry = found ?? { bytes: ownBytes(JSON.stringify(write(object))), value: undefined };
      known.delete(object);
      known.set(object, entry);
      if (found) return entry;
      size += entry.bytes.length;
      makeRoom();
      return entry;
    };
  };
  const [whole, partial] = [kept((object) => object), kept(partialMetadata)];
  return {
    object: (object) => whole(object).bytes,
    metadata: (object) => partial(object).bytes,
    value(object) {
      const entry = whole(object);
      entry.value ??= deepFrozen(JSON.parse(entry.bytes.toString("utf8")));
      return entry.value;
    },
  };
}

interface Entry {
  readonly bytes: Buffer;
  value: unknown;
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
