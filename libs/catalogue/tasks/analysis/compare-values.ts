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
/** Words around a value in an answer that are no value themselves: of sentences, units, and what a value is of. */
const prose: ReadonlySet<string> = new Set([
  ...["are", "as", "at", "been", "by", "for", "from", "had", "has", "have", "in", "it", "its", "only", "set"],
  ...["should", "that", "there", "this", "use", "used", "uses", "were", "with", "currently", "now", "still"],
  ...["byte", "bytes", "core", "cores", "cpu", "memory", "millicores", "millisecond", "milliseconds"],
  ...[
    "second",
    "seconds",
    "argument",
    "arguments",
    "class",
    "command",
    "container",
    "field",
    "flag",
    "image",
  ],
  ...["key", "label", "limit", "limits", "number", "path", "policy", "pod", "pods", "replica", "replicas"],
  ...["request", "requests", "selector", "service", "tag", "target", "variable", "volume"],
]);

/**
 * How well a value in words agrees with another one, from 0 to 1: the F1 of their words. Punctuation and order do not
 * count, so that `{"cpu": "2m"}` and `cpu 2m` agree; quantities are compared as Kubernetes reads them, so that `0.002` is
 * `2m`; letters of another case are other letters. Words of the field's path do not count: `targetPort: 80` is `80`, and so is
 * `limits.cpu: 80`.
 */
export function compareValues(given: string, right: string, field = ""): number {
  const b = wordsOf(right);
  const a = withoutField(wordsGiven(given, b), field, b);
  const shared = a.length - without(a, b).length;
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

/** The words besides others, each of which takes one away. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** From this agreement on a value is the right one: as many words besides it as it has itself. */
const same = 2 / 3 - 1e-9;

/**
 * Whether a value is `own`, and not the `other` one of the field (right and wrong): it agrees well, better than with the other, has
 * every number and name that only `own` has, and names no alternative. Any further word could be one, except those that a sentence
 * around a value has, the field's own, and keys.
 */
export function isValue(given: string, own: string, other: string, field = ""): boolean {
  const agreement = compareValues(given, own, field);
  if (agreement < same || agreement <= compareValues(given, other, field)) return false;
  const [ownWords, otherWords] = [wordsOf(own), wordsOf(other)];
  const known = [...ownWords, ...otherWords];
  const words = withoutField(wordsGiven(given, known), field, known);
  const missing = ownWords.filter((word) => !words.includes(word));
  if (missing.some((word) => isParticular(word) && !otherWords.includes(word))) return false;
  if (isWithin(jsonOf(own), jsonOf(given))) return true;
  const further = without(words, ownWords);
  if (otherWords.length > 0 && otherWords.every((word) => further.includes(word))) return false;
  const beside = new Set([...(given.match(key) ?? []), ...besidePairs(given, own)]);
  const saysNothing = (word: string): boolean =>
    !otherWords.includes(word) && (prose.has(word.toLowerCase()) || beside.has(word) || isInWords(own, word));
  return further.every((word) => ownWords.includes(word) || saysNothing(word));
}

/**
 * Whether an object has all fields of another one with their values, as a running system shows those that a manifest has beside
 * defaults. Of a field that has one value no other one can be named.
 */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((one, i) => isWithin(one, whole[i]))
    );
  if (!isJsonObject(part)) return part !== undefined && part === whole;
  return isJsonObject(whole) && Object.entries(part).every(([name, value]) => isWithin(value, whole[name]));
}

/** Undefined: it is no JSON, or has a name twice, of which only one value would count. */
function jsonOf(value: string): unknown {
  const parsed = parseJson(value);
  return wordsOf(JSON.stringify(parsed) ?? "").length === wordsOf(value).length ? parsed : undefined;
}

/** A key with what comes after it, as in `mode: strict` and `{"mode": "strict"}`. */
const key = /(?<![\w./-])[a-z]+(?:[A-Z][a-z]+)*(?=["']?:[\s"'{[])/g;

/** Words of the pairs that an answer has besides those of the value, under other keys: of `tier=front` beside `app=web`. */
function besidePairs(given: string, own: string): string[] {
  const pairsOf = (text: string) => [...text.matchAll(/(?<![\w./-])([\w./-]+)=([\w./-]+)/g)];
  const keys = new Set(pairsOf(own).map(([, name]) => name));
  return keys.size === 0
    ? []
    : pairsOf(given).flatMap(([pair, name]) => (keys.has(name) ? [] : wordsOf(pair)));
}

/** Such as `an expired certificate`: what is in words may be in more words. */
const isInWords = (own: string, word: string): boolean =>
  /^[a-z]+( [a-z]+)+$/.test(own) && /^[a-z]+$/.test(word);

/** A number, a path or a name of several parts: what one value has of its own, and others of the same shape have not. */
const isParticular = (word: string): boolean => /\d|\/|\w[._-]\w/.test(word);

const stepPattern = /[\w-]+/g;

function withoutField(words: readonly string[], field: string, own: readonly string[]): string[] {
  const steps = new Set(field.match(stepPattern));
  const isField = (word: string): boolean =>
    word.match(stepPattern)?.every((step) => steps.has(step)) ?? false;
  return words.filter((word) => !isField(word) || own.includes(word));
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
 * compared values have it (`literal`). `zero` may be written for 0. That a value is the default one says nothing more of it.
 */
function wordsGiven(text: string, literal: readonly string[]): string[] {
  const bare = literal.includes("none") ? "" : text.replace(/(?<![\w./-])default(?![\w./-])/g, "");
  const words = wordsOf(bare.trim() === "" ? text : bare, (word) =>
    literal.includes(word) ? word : word.toLowerCase(),
  );
  return words.map((word) => {
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
