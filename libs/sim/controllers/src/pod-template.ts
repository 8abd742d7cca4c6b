import { type KubeObject, safeEncode } from "@microremed/sim-objects";

export const templateHashLabel = "pod-template-hash";

/** Without nulls and without empty strings, lists and objects: a client may send them or not, they mean the same. */
function prune(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => prune(item) ?? null);
  if (typeof value !== "object") return value;
  const kept = Object.entries(value)
    .map(([key, each]) => [key, prune(each)] as const)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const canonical = new WeakMap<object, string>();

/** One text for all spellings of a pod template; the hash label is left out, since it depends on the rest. */
export function canonicalTemplate(template: KubeObject["spec"]): string {
  const known = canonical.get(template);
  if (known !== undefined) return known;
  const { [templateHashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  const { creationTimestamp: _created, ...metadata } = template.metadata ?? {};
  const text = JSON.stringify(prune({ ...template, metadata: { ...metadata, labels } })) ?? "{}";
  canonical.set(template, text);
  return text;
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/** The pod-template-hash of a template; `collisions` makes another one after a clash of names. */
export function templateHash(template: KubeObject["spec"], collisions = 0): string {
  const text = canonicalTemplate(template);
  return safeEncode(String(fnv(collisions === 0 ? text : `${text}${collisions}`)));
}
