import { isRecord, type Loose } from "@microremed/sim-objects";

/** RFC 7386: null deletes, objects merge, everything else replaces. */
export function mergePatch(target: Loose, patch: Loose): Loose {
  if (!isRecord(patch)) return patch;
  const result = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}
