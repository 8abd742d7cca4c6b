import { fillPattern } from "../match.ts";
import { normalise } from "../normalise.ts";

/** A pattern somewhere in the text, or a golden text that is compared after normalising. */
export type Expected = RegExp | string | readonly RegExp[];

/** Throws when a text is not as expected. `fill` puts the case's namespace in for `$NS`. */
export function demand(what: string, text: string, expected: Expected, fill: (text: string) => string): void {
  if (typeof expected === "string") {
    const [wanted, seen] = [normalise(fill(expected)), normalise(text)];
    if (wanted !== seen) throw new Error(`${what}: expected\n${wanted}\nbut it was\n${seen}`);
    return;
  }
  for (const pattern of Array.isArray(expected) ? expected : [expected]) {
    const filled = fillPattern(pattern, fill);
    if (!filled.test(text))
      throw new Error(`${what}: expected ${filled}, but it was\n${text.slice(0, 3000)}`);
  }
}
