import type { KubeObject } from "./objects.ts";

/** `namespace/name`, as work queues hold it. */
export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** Namespace and name of a key of `keyOf`. The namespace is empty for objects of the whole cluster. */
export function splitKey(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}
