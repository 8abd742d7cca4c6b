import { isJsonObject } from "@microremed/core";
import type { Environment } from "./environment.types.ts";
import { type Manifest, namespacedAmong } from "./manifest.ts";

/**
 * The environment's manifests in a namespace, in the order in which they can be applied: as they are written, except that
 * their own namespace, and that of the accounts that bindings name, is the given one. A copy beside the system's own
 * namespace asks for no port of the nodes by its number, since each number is there once. The namespace itself is not among
 * them.
 */
export function renderManifests(
  { manifests, namespace: own }: Pick<Environment, "manifests" | "namespace">,
  { namespace }: { readonly namespace: string },
): Manifest[] {
  const isPlaced = namespacedAmong(manifests);
  return manifests.map((manifest) => {
    const placed = isPlaced(manifest) ? inNamespace(manifest, namespace) : manifest;
    return withoutNodePorts(withSubjects(placed, own, namespace), own === namespace);
  });
}

/** All that is declared, as `renderManifests` has it: what is applied, and what the system's own operators make of that. */
export const declaredObjects = (
  { manifests, made, namespace: own }: Pick<Environment, "manifests" | "made" | "namespace">,
  place: { readonly namespace: string },
): Manifest[] => renderManifests({ manifests: [...manifests, ...made], namespace: own }, place);

function inNamespace(manifest: Manifest, namespace: string): Manifest {
  const { name, namespace: _own, ...rest } = manifest.metadata;
  return { ...manifest, metadata: { name, namespace, ...rest } };
}

/** Accounts of the system's own namespace are those of the copy's. */
function withSubjects(manifest: Manifest, own: string, namespace: string): Manifest {
  const { subjects } = manifest;
  if (!Array.isArray(subjects)) return manifest;
  const moved = subjects.map((subject: unknown) =>
    isJsonObject(subject) && (subject["namespace"] ?? own) === own && subject["kind"] === "ServiceAccount"
      ? { ...subject, namespace }
      : subject,
  );
  return { ...manifest, subjects: moved };
}

function withoutNodePorts(manifest: Manifest, isOwnNamespace: boolean): Manifest {
  const { kind, spec } = manifest as { kind: string; spec?: { ports?: unknown } };
  if (isOwnNamespace || kind !== "Service" || !isJsonObject(spec) || !Array.isArray(spec["ports"]))
    return manifest;
  const ports = spec["ports"].map((port: unknown) => {
    if (!isJsonObject(port)) return port;
    const { nodePort: _, ...rest } = port;
    return rest;
  });
  return { ...manifest, spec: { ...spec, ports } };
}
