import { isJsonObject, parseJson, parseQuantity, valueInWords } from "@microremed/catalogue";

/** What a value that is not there is called. */
const noValue: ReadonlySet<string> = new Set([
  ...[
    "",
    "none",
    "null",
    "nil",
    "unset",
    "undefined",
    "absent",
    "missing",
    "deleted",
    "removed",
    "empty",
    "default",
    "[]",
    "{}",
  ],
  ...[
    "<none>",
    "<unset>",
    "not set",
    "not there",
    "not present",
    "no value",
    "no field",
    "no such field",
    "no such object",
  ],
]);
/** Words that say nothing of a value. */
const filling: ReadonlySet<string> = new Set([
  ...["a", "an", "and", "be", "is", "of", "the", "to", "was"],
  ...["name", "value", "port"],
]);

/**
 * How well a value in words agrees with another one, from 0 to 1: the F1 of their words. Punctuation and order do not
 * count, so that `{"cpu": "2m"}` and `cpu 2m` agree; quantities are compared as Kubernetes reads them, so that `0.002` is
 * `2m`; letters of another case are other letters. Words of the field's path do not count: `targetPort: 80` is `80`.
 */
export function compareValues(given: string, right: string, field = ""): number {
  const b = wordsOf(right);
  const a = withoutField(wordsGiven(given, right), field, b);
  const left = [...b];
  const shared = a.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

/** From this agreement on a value is the right one: as many words besides it as it has itself. */
const same = 2 / 3 - 1e-9;

/**
 * Whether a value is `own`, and not the `other` one of the field (right and wrong): it agrees well, better than with the other, has
 * every number and name that only `own` has and no word that only the other has, no other name in the place of one of its own,
 * and where `own` is a single number or name no second one.
 */
export function isValue(given: string, own: string, other: string, field = ""): boolean {
  const agreement = compareValues(given, own, field);
  if (agreement < same || agreement <= compareValues(given, other, field)) return false;
  const [ownWords, otherWords] = [wordsOf(own), wordsOf(other)];
  const words = withoutField(wordsGiven(given, own), field, ownWords);
  const foreign = words.filter((word) => !ownWords.includes(word));
  if (foreign.some((word) => otherWords.includes(word))) return false;
  const missing = ownWords.filter((word) => !words.includes(word));
  if (missing.some((word) => isParticular(word) && !otherWords.includes(word))) return false;
  const isWhole = missing.length === 0;
  if (!isWhole && foreign.some(isName)) return false;
  return ownWords.length > 1 || !foreign.some((word) => /\d/.test(word));
}

/** Such as a file, a number or the name of an object: where one of the value's words is missing, another one is in its place. */
const isName = (word: string): boolean => /[\d/_.-]/.test(word);

/** A number, a path or a name of several parts: what one value has of its own, and others of the same shape have not. */
const isParticular = (word: string): boolean => /\d|\/|\w[._-]\w/.test(word);

function withoutField(words: readonly string[], field: string, own: readonly string[]): string[] {
  const steps = new Set(field.match(/[\w-]+/g));
  return words.filter((word) => !steps.has(word) || own.includes(word));
}

/** What a value in words has at a path within it; the whole value where it has no such parts. */
export function partOfValue(value: string, steps: readonly string[]): string {
  let part: unknown = steps.length === 0 ? undefined : structureOf(value);
  if (part === undefined) return value;
  for (const step of steps) {
    if (step === "[]") break;
    if (typeof part !== "object" || part === null) return "none";
    const name = step.replace(/^\[(.*)\]$/, "$1");
    part = Array.isArray(part)
      ? (part.find((item) => isJsonObject(item) && item["name"] === name) ?? part[Number(name)])
      : (part as Record<string, unknown>)[name];
  }
  return valueInWords(part);
}

/** JSON, or `cpu 2m, memory 200Mi`; undefined: neither. */
function structureOf(value: string): unknown {
  const parsed = parseJson(value);
  if (typeof parsed === "object" && parsed !== null) return parsed;
  const pairs = value.split(", ").map((pair) => pair.split(" "));
  return pairs.every((pair) => pair.length === 2) ? Object.fromEntries(pairs) : undefined;
}

/**
 * A value as an answer has it. `None` is what many languages call no value, and a value of some fields: it is meant as the
 * other value has it. `zero` may be written for 0.
 */
function wordsGiven(given: string, own: string): string[] {
  const literal = wordsOf(own);
  return wordsOf(given, (word) => (literal.includes(word) ? word : word.toLowerCase())).map((word) => {
    const number = numbers.indexOf(word.toLowerCase());
    return number >= 0 && literal.includes(String(number)) ? String(number) : word;
  });
}

const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Words of a value; `lower` is how a word is read that may say that there is none: as it is, where the value is exact. */
function wordsOf(text: string, lower = (word: string): string => word): string[] {
  if (noValue.has(lower(text.trim().replace(/[.!]$/, "")))) return ["none"];
  return text
    .replace(/(\d) ?([KMGTPE]i)B?(?![A-Za-z])/g, "$1$2")
    .split(/[\s,;:="'`{}[\]()]+/)
    .map((word) => word.replace(/[.!?]$/, ""))
    .filter((word) => word !== "" && !filling.has(word.toLowerCase()))
    .map((word) => {
      if (noValue.has(lower(word))) return "none";
      const quantity = /^\d/.test(word) ? parseQuantity(word) : undefined;
      return quantity === undefined ? word : String(quantity);
    });
}

/** The text of a value in base64, if it is that of one of `own`; else the value itself. */
export function asText(given: string, own: readonly string[]): string {
  const text = Buffer.from(given.trim(), "base64").toString("utf8");
  return own.includes(text) ? text : given;
}
