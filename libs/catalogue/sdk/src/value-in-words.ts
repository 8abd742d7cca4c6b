/** A field's value as the ground truth writes it: a text as it is, anything else as JSON; undefined: `none`. */
export function valueInWords(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
