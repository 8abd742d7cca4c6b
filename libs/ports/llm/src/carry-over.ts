import { withoutDetails } from "@microremed/core";

/** What a cluster generates and an answer may repeat: names of pods and ReplicaSets, uuids, IPv4 addresses. */
const generated =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|[a-z0-9]+(?:-[a-z0-9]+)*?-[bcdfghjklmnpqrstvwxz2456789]{5,10}(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?(?![a-z0-9-])/g;

/**
 * What is called otherwise in this run than in a recorded one, from texts that say the same in both: names that were generated, by their
 * recorded name. Lines that are alike but for details are taken for the same line; of several alike lines the first for the first.
 */
export function namesOfThisRun(
  pairs: readonly (readonly [recorded: string, now: string])[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [recorded, now] of pairs) {
    const lines = Map.groupBy(now.split("\n"), withoutDetails);
    for (const line of recorded.split("\n")) {
      const same = lines.get(withoutDetails(line))?.shift();
      if (same !== undefined && same !== line) addNames(names, line, same);
    }
  }
  return names;
}

function addNames(names: Map<string, string>, recorded: string, now: string): void {
  const [before, after] = [recorded.match(generated) ?? [], now.match(generated) ?? []];
  if (before.length !== after.length) return;
  for (const [i, name] of before.entries()) if (!names.has(name)) names.set(name, after[i] ?? name);
}

/** A recorded text with the names of this run in the place of the recorded ones. */
export function inThisRun(text: string, names: ReadonlyMap<string, string>): string {
  return names.size === 0 ? text : text.replaceAll(generated, (name) => names.get(name) ?? name);
}
