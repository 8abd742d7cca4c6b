import { oneOf } from "./text.ts";

/** Longer names are compared by their beginnings. */
const mostCharacters = 200;
/** Share of a name's characters that may be wrong; of short names at least `leastWrong` may. */
const wrongShare = 0.4;
const leastWrong = 2;

/** The names that are most like a wrong one or begin with it, the best first, at most `most`; none: no name is like it. */
export function nearest(wrong: string, names: readonly string[], most = 3): string[] {
  const given = wrong.slice(0, mostCharacters).toLowerCase();
  const allowed = Math.min(given.length - 1, Math.max(leastWrong, Math.floor(given.length * wrongShare)));
  return names
    .map((name) => {
      const known = name.slice(0, mostCharacters).toLowerCase();
      return { name, edits: editsBetween(given, known), isBegun: isBeginning(given, known) };
    })
    .filter(({ edits, isBegun }) => isBegun || edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Most known names that one message lists. */
const mostShown = 20;

/**
 * What a message says of a wrong name, to be its end: `did you mean "a" or "b"?`, or where none is like it, `known: "a",
 * "b" and 80 more`, or `there is none`.
 */
export function likelyNames(wrong: string, known: readonly string[]): string {
  const versions = known.filter((name) => name.startsWith(`${wrong}@`));
  if (versions.length > 0) return `say which version: ${oneOf(versions)}`;
  const near = nearest(wrong, known);
  if (near.length > 0) return `did you mean ${oneOf(near)}?`;
  if (known.length === 0) return "there is none";
  if (known.length <= mostShown) return `known: ${oneOf(known)}`;
  const shown = known.slice(0, mostShown).map((name) => JSON.stringify(name));
  return `known: ${shown.join(", ")} and ${known.length - mostShown} more`;
}

/** Fewest characters that name what begins with them. */
const leastBeginning = 3;

const isBeginning = (given: string, known: string): boolean =>
  given.length >= leastBeginning && known.startsWith(given);

/** Levenshtein's distance: characters to put in, to leave out, or to exchange. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
