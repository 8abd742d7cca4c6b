import type { Manifest } from "./manifest.ts";

/** A place in `model.yaml`, for messages. */
export const inModel = (path: string): string => `model.yaml, ${path}`;

/** A place in `workload.yaml`, for messages. */
export const inWorkload = (path: string): string => `workload.yaml, ${path}`;

const files = new WeakMap<object, string>();

/** Notes the file in which an object was read, for messages about it. */
export function readFrom(manifest: Manifest, file: string): void {
  files.set(manifest, file);
}

/** The file in which an object was read. */
export const fileOf = (manifest: Manifest): string => files.get(manifest) ?? "manifests";

/** An object of the manifests and its file, for messages: `manifests/all.yaml, Deployment web`. */
export const ofManifest = (manifest: Manifest): string =>
  `${fileOf(manifest)}, ${manifest.kind} ${manifest.metadata.name}`;
