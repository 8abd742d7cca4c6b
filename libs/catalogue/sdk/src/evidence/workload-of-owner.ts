import type { ObjectRef } from "../objects/object-ref.ts";

/** The workload of a pod, by its owner as `<kind>/<name>`: behind a ReplicaSet its Deployment. Undefined: it has none. */
export function workloadOfOwner(owner: string): ObjectRef | undefined {
  const [, kind, name] = /^([A-Za-z]+)\/([a-z0-9][a-z0-9.-]*)$/.exec(owner) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return kind === "ReplicaSet"
    ? { kind: "Deployment", name: name.replace(/-[a-z0-9]+$/, "") }
    : { kind, name };
}
