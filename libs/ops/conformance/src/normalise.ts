/** Text that differs from run to run, and its placeholder in golden texts. Order matters. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uid>"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, "<ip>"],
  // Replaced pods of a ReplicaSet: its template's hash, then five characters.
  [/-[0-9a-z]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<pod>"],
  [/\b(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)\b|\b\d+(?:d\d+h|h\d+m|[dhm])(?=\s|$|\))/gm, "<age>"],
  [/[ \t]+/g, " "],
  [/ +$/gm, ""],
];

/** Text with names, ages, uids, addresses and times made the same, and runs of blanks made one. */
export function normalise(text: string): string {
  return volatile
    .reduce((result, [pattern, placeholder]) => result.replace(pattern, placeholder), text)
    .trim();
}
