import type { Rng } from "@microremed/core";
import { badRequest, maxNamePrefix, type NewObject, randomSuffix } from "@microremed/sim-objects";

const hex = [..."0123456789abcdef"];

/** A random uid, version 4. */
export function uuid(rng: Rng): string {
  const digits = (length: number): string => Array.from({ length }, () => rng.pick(hex)).join("");
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${rng.pick(["8", "9", "a", "b"])}${digits(3)}-${digits(12)}`;
}

/** The name of a new object: its own, or one made of its generateName that is not taken. */
export function nameOf({ metadata }: NewObject, rng: Rng, isTaken: (name: string) => boolean): string {
  if (metadata.name) return metadata.name;
  if (!metadata.generateName) throw badRequest("name or generateName is required");
  for (;;) {
    const candidate = metadata.generateName.slice(0, maxNamePrefix) + randomSuffix(rng);
    if (!isTaken(candidate)) return candidate;
  }
}
