import { RE2JS } from "re2js";

/** Longest pattern of a name, characters. */
const longest = 1_000;

export interface NamePattern {
  /** What the pattern and its groups match of a name, a group that took no part as ""; undefined: it does not match. */
  groupsIn(name: string): readonly string[] | undefined;
}

/**
 * A pattern of a Corefile. Agents write Corefiles: as in CoreDNS it is RE2, which takes linear time, and is asked about names in lower
 * case. Throws an Error where it is no pattern, or too long.
 */
export function namePattern(text: string): NamePattern {
  if (text.length > longest) throw new Error(`error parsing regexp: longer than ${longest} characters`);
  const pattern = RE2JS.compile(text);
  return {
    groupsIn(name) {
      const found = pattern.matcher(name.toLowerCase());
      if (!found.find()) return undefined;
      return Array.from({ length: found.groupCount() + 1 }, (_, group) => found.group(group) ?? "");
    },
  };
}
