import { environments } from "@microremed/environments";
import type { Replaced } from "./catalogue.types.ts";
import type { FoundEnvironment } from "./find-environments.ts";
import type { Wrong } from "./wrong.types.ts";

/**
 * Which environments replace others of their name: ours are replaced by users', those of the directory of environments
 * alone (`alone`, the first place if given) by those of catalogues. Two catalogues may not have the same one.
 */
export function replacements(
  places: readonly (readonly FoundEnvironment[])[],
  alone: string | undefined,
): { readonly replaced: Replaced[]; readonly problems: Wrong[] } {
  const replaced: Replaced[] = [];
  const problems: Wrong[] = [];
  const ours = environments.names();
  const used = new Map<string, { readonly file: string; readonly isAlone: boolean }>();
  for (const [i, found] of places.entries()) {
    const isAlone = alone !== undefined && i === 0;
    for (const { name, file } of found) {
      const other = used.get(name);
      if (other && other.isAlone === isAlone)
        problems.push({ place: file, field: "name", expected: `a unique name: ${other.file} has it too` });
      else if (other) replaced.push({ name, file, instead: other.file });
      else if (ours.includes(name)) replaced.push({ name, file, instead: "built in" });
      used.set(name, { file, isAlone });
    }
  }
  return { replaced, problems };
}
