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
 * Of each kind of JSON, with the values. Several times what a cluster with train-ticket holds at a moment: with 6 MiB nothing
 * had to be computed again in 16 of its episodes. Without it the JSON of every change would be kept for as long as the
 * history of its resource is.
 */
const defaultMostBytes = 8 * 2 ** 20;
/** About what a value takes, for each byte of its JSON. */
const valueBytesPerByte = 3;

/** What was read longest ago is forgotten when there is more than `mostBytes`, and written again if it is read again. */
export function createJsonCache(mostBytes = defaultMostBytes): JsonCache {
  const kept = (write: (object: KubeObject) => object) => {
    const known = new Map<KubeObject, Entry>();
    let size = 0;
    const makeRoom = (): void => {
      for (const [oldest, entry] of known) {
        if (size <= mostBytes) return;
        known.delete(oldest);
        size -= sizeOf(entry);
      }
    };
    const entryOf = (object: KubeObject): Entry => {
      const found = known.get(object);
      const entry = found ?? { bytes: ownBytes(JSON.stringify(write(object))), value: undefined };
      known.delete(object);
      known.set(object, entry);
      if (found) return entry;
      size += sizeOf(entry);
      makeRoom();
      return entry;
    };
    const frozenValue = (object: KubeObject): unknown => {
      const entry = entryOf(object);
      if (entry.value !== undefined) return entry.value;
      const value = deepFrozen(JSON.parse(entry.bytes.toString("utf8")));
      if (known.has(object)) size += valueBytesPerByte * entry.bytes.length;
      entry.value = value;
      makeRoom();
      return value;
    };
    return { bytes: (object: KubeObject): Buffer => entryOf(object).bytes, value: frozenValue };
  };
  const [whole, partial] = [kept((object) => object), kept(partialMetadata)];
  return {
    object: whole.bytes,
    metadata: partial.bytes,
    value: whole.value,
  };
}

interface Entry {
  readonly bytes: Buffer;
  value: unknown;
}

const sizeOf = ({ bytes, value }: Entry): number =>
  bytes.length * (value === undefined ? 1 : 1 + valueBytesPerByte);

/** Not a part of Node's pool: one small text that is kept would keep 64 KiB of others that are not. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function partialMetadata({ metadata }: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
