/** The suffixes that Kubernetes generates for names: no vowels, no digits that look like letters. */
const generatedName =
  /-[bcdfghjklmnpqrstvwxz2456789]{5,10}(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?(?![a-z0-9-])/g;
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** With units: ages such as 3m12s, quantities such as 250m and 64Mi. */
const number = /(?:\d+(?:\.\d+)*(?:[KMG]i|[a-z]{1,2})?)+/g;

/**
 * A text without what differs between two runs of the same thing: generated names, uuids, addresses, ages, times and
 * other numbers, and the spaces that align columns of them.
 */
export function withoutDetails(text: string): string {
  return text
    .replaceAll(uuid, "*")
    .replaceAll(generatedName, "-*")
    .replaceAll(number, "#")
    .replaceAll(/[ \t]+/g, " ");
}
