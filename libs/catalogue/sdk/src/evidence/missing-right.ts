import { parseJson } from "@microremed/core";
import { shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";

/** Behind a log: the last request that the API server refused to an account, as `<account> <verb> <resource>`. */
export const lastRefusal = `grep 'is forbidden: User' | tail -n 1 | sed -E 's/.*:([^:"]+)" cannot ([a-z]+) resource "([a-z]+)".*/\\1 \\2 \\3/'`;

/** A request that the API server refused. */
export interface Refusal {
  readonly account: string;
  readonly verb: string;
  readonly resource: string;
}

/** Lines of `lastRefusal`, each once. */
export function refusalsIn(text: string): Refusal[] {
  const found = [...text.matchAll(/^([a-z0-9.-]+) ([a-z]+) ([a-z]+)$/gm)];
  const byLine = new Map(
    found.map(([line, account = "", verb = "", resource = ""]) => [line, { account, verb, resource }]),
  );
  return [...byLine.values()];
}

/** Reads the Roles that have the accounts' names; before them commands of the caller's print what it needs. */
export const readRoles = (refusals: readonly Refusal[], ...before: readonly string[]): EvidenceCall =>
  shellCall(
    [
      ...before,
      ...refusals.map(
        ({ account }) => `echo "rules ${account} $(kubectl get role ${account} -o jsonpath='{.rules}')"`,
      ),
    ].join("; "),
  );

/** A list of a Role that lacks an entry. */
export interface LackingList {
  /** `rules[0].verbs` */
  readonly field: string;
  /** As JSON, without the entry and with it. */
  readonly wrong: string;
  readonly right: string;
}

/** The list of a Role, as `readRoles` printed it, that lacks what was refused; undefined: none does by one entry. */
export function lackingList(printed: string, { account, verb, resource }: Refusal): LackingList | undefined {
  const text = new RegExp(`^rules ${account} (\\[.*)$`, "m").exec(printed)?.[1] ?? "[]";
  const rules = (parseJson(text) ?? []) as readonly {
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  const lacking = (at: number, list: "resources" | "verbs", entry: string): LackingList | undefined => {
    const entries = rules[at]?.[list];
    return entries && !entries.includes(entry)
      ? {
          field: `rules[${at}].${list}`,
          wrong: JSON.stringify(entries),
          right: JSON.stringify([...entries, entry]),
        }
      : undefined;
  };
  const of = rules.findIndex(({ resources }) => resources.includes(resource));
  if (of >= 0) return lacking(of, "verbs", verb);
  return lacking(
    rules.findIndex(({ verbs }) => verbs.includes(verb)),
    "resources",
    resource,
  );
}
