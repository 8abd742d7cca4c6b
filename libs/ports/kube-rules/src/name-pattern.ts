import { boundPatterns } from "@microremed/core";

/** Longest pattern of a name, characters. */
const longest = 1_000;
/** What JavaScript has and RE2 does not, and what may take more than linear time: lookaround and back references. */
const perl = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * A pattern of a Corefile, which is RE2, as JavaScript has it. Agents write Corefiles: it takes linear time. Throws an Error where it is
 * no pattern, or too long.
 */
export function namePattern(text: string): RegExp {
  if (text.length > longest) throw new Error(`error parsing regexp: longer than ${longest} characters`);
  if (perl.test(text.replaceAll("\\\\", "")))
    throw new Error(`error parsing regexp: invalid or unsupported Perl syntax in ${JSON.stringify(text)}`);
  boundPatterns();
  return new RegExp(text.replaceAll("(?P<", "(?<").replace(/^\(\?i\)/, ""), "i");
}
