import type { ControllerContext } from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, type NewObject, resources } from "@microremed/sim-objects";

/** Of which Service a slice is. */
export const serviceNameLabel = "kubernetes.io/service-name";
/** Which controller keeps a slice: each leaves those of others alone. */
export const managedByLabel = "endpointslice.kubernetes.io/managed-by";

/** A list of a slice as the API server shows it: one that is empty is null. */
export const listOrNull = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null);

/** What a slice is to be, with the name that it gets. */
export type WantedSlice = (
  name: string,
) => NewObject & { readonly endpoints: unknown; readonly ports: unknown };

/** Makes the slices of a Service, by its key, what they are to be: changes, makes and deletes only its own. */
export type KeepSlices = (key: string, wanted: readonly WantedSlice[]) => void;

interface Keeper {
  /** The value of the label by which it knows its own. */
  readonly manager: string;
  /** Called with the key of a Service of which another client has changed or deleted a slice. */
  readonly onForeignChange: (key: string) => void;
}

/** Keeps the EndpointSlices of one controller. */
export function createSliceKeeper(
  { store, loop, rng }: Pick<ControllerContext, "store" | "loop" | "rng">,
  { manager, onForeignChange }: Keeper,
): KeepSlices {
  const own = loop.keep(new Map<string, KubeObject>());
  // Watchers are called within a write, so that it is over before anything else happens.
  let isWriting = false;

  store.watch(resources.endpointSlices, ({ type, object }) => {
    const { uid, labels } = object.metadata;
    const before = own.get(uid);
    const isOwn = type !== "DELETED" && labels?.[managedByLabel] === manager;
    if (isOwn) own.set(uid, object);
    else own.delete(uid);
    if (isWriting) return;
    const keys = [before, isOwn ? object : undefined].map((slice) => slice && serviceKeyOf(slice));
    for (const key of new Set(keys)) if (key !== undefined) onForeignChange(key);
  });

  function keep(key: string, wanted: readonly WantedSlice[]): void {
    const spare = [...own.values()].filter((slice) => serviceKeyOf(slice) === key && !isTerminating(slice));
    const take = (fits: (slice: KubeObject) => boolean): KubeObject | undefined => {
      const index = spare.findIndex(fits);
      return index < 0 ? undefined : spare.splice(index, 1)[0];
    };
    const portsOf = (slice: object): string => JSON.stringify((slice as { ports?: unknown }).ports ?? []);
    // One with the same ports is changed least.
    const found = wanted.map((slice) => take((old) => portsOf(old) === portsOf(slice(""))));
    for (const [index, slice] of wanted.entries()) {
      const old = found[index] ?? take(() => true);
      if (!old) {
        store.create(resources.endpointSlices, store.named(resources.endpointSlices, slice(""), rng));
        continue;
      }
      const { metadata, endpoints, ports } = slice(old.metadata.name);
      const labels = { ...old.metadata.labels, ...metadata.labels };
      store.update(resources.endpointSlices, {
        ...old,
        metadata: { ...old.metadata, labels },
        endpoints,
        ports,
      });
    }
    for (const { metadata } of spare)
      store.delete(resources.endpointSlices, metadata.namespace, metadata.name);
  }

  return (key, wanted) => {
    isWriting = true;
    try {
      keep(key, wanted);
    } finally {
      isWriting = false;
    }
  };
}

/** The key of the Service that a slice is of; undefined: of none. */
function serviceKeyOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.labels?.[serviceNameLabel];
  return name === undefined ? undefined : `${metadata.namespace}/${name}`;
}
