import { nearest } from "@microremed/core";
import { z } from "zod";

/** Issues of which none is about a field that is missing only because its name is wrong. */
export interface MeantFields {
  readonly issues: readonly z.core.$ZodIssue[];
  /** The right name of a field that there is not; undefined: none of those that are missing. */
  readonly meant: (issue: z.core.$ZodIssueUnrecognizedKeys, key: string) => string | undefined;
}

/**
 * Joins each field that there is not with the one that is missing beside it and has a name like it: they are one mistake. `isMissing`:
 * whether an issue is that its place has no value.
 */
export function meantFields(
  issues: readonly z.core.$ZodIssue[],
  isMissing: (issue: z.core.$ZodIssue) => boolean,
): MeantFields {
  const missing = Map.groupBy(issues.filter(isMissing), ({ path }) => z.core.toDotPath(path.slice(0, -1)));
  const joined = new Set<z.core.$ZodIssue>();
  const meant = new Map<z.core.$ZodIssue, Map<string, string>>();
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const beside = new Map(
      (missing.get(z.core.toDotPath(issue.path)) ?? []).flatMap((one) =>
        namesOf(one).map((name) => [name, one]),
      ),
    );
    const names = new Map<string, string>();
    for (const key of issue.keys) {
      const [name] = nearest(key, [...beside.keys()], 1);
      const right = name === undefined ? undefined : beside.get(name);
      if (name === undefined || !right) continue;
      names.set(key, name);
      joined.add(right);
      beside.delete(name);
    }
    meant.set(issue, names);
  }
  return {
    issues: issues.filter((one) => !joined.has(one)),
    meant: (issue, key) => meant.get(issue)?.get(key),
  };
}

/** The field that is missing; where a schema of ours asks for one of several, each that it names. */
function namesOf({ code, path, message }: z.core.$ZodIssue): string[] {
  const others = code === "custom" ? message.split(/\W+/).filter((word) => word.length > 3) : [];
  return [String(path.at(-1)), ...others];
}
