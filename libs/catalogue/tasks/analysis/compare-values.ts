import { parseQuantity } from "@microremed/catalogue";

/** Words for a value that is not there. */
const noValue: ReadonlySet<string> = new Set([
  "none",
  "null",
  "nil",
  "unset",
  "absent",
  "missing",
  "deleted",
  "<none>",
]);
/** Words that say nothing of a value. */
const filling: ReadonlySet<string> = new Set(["a", "an", "and", "be", "is", "of", "the", "to", "was"]);

/**
 * How well a value in words agrees with another one, from 0 to 1: the F1 of their words. Punctuation and order do not
 * count, so that `{"cpu": "2m"}` and `cpu 2m` agree; quantities are compared as Kubernetes reads them, so that `0.002` is
 * `2m`; letters of another case are other letters.
 */
export function compareValues(given: string, right: string): number {
  const [a, b] = [wordsOf(given), wordsOf(right)];
  const left = [...b];
  const shared = a.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;:="'`{}[\]()]+/)
    .map((word) => word.replace(/[.!?]$/, ""))
    .filter((word) => word !== "" && !filling.has(word.toLowerCase()))
    .map((word) => {
      if (noValue.has(word.toLowerCase())) return "none";
      const quantity = /^\d/.test(word) ? parseQuantity(word) : undefined;
      return quantity === undefined ? word : String(quantity);
    });
}
