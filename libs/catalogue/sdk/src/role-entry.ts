import { kinds } from "@microremed/cluster";
import type { Finding } from "./evidence/evidence.ts";
import type { FaultContext } from "./fault.ts";
import { patchCommand, type RemedyContext } from "./remedy.ts";

/** An entry of a list in the only rule of a Role, which a fault takes away. */
interface RoleEntry {
  readonly role: string;
  readonly list: "verbs" | "resources";
  /** As the list is to be. */
  readonly entries: readonly string[];
  readonly taken: string;
}

/** What a fault does that takes an entry of a Role away, and its repairs. */
export function roleEntryFault({ role, list, entries, taken }: RoleEntry) {
  const [kind, path, field] = [kinds.role, `/rules/0/${list}`, `rules[0].${list}`];
  const left = entries.filter((one) => one !== taken);
  const replace = (value: unknown, at = path) => [{ op: "replace" as const, path: at, value }];
  const write = ({ cluster, namespace }: FaultContext, value: readonly string[]) =>
    cluster.patch(kind, namespace, role, { type: "json", body: replace(value) });
  return {
    /** The ground truth's object. */
    object: {
      kind: kind.kind,
      name: role,
      field,
      wrong: JSON.stringify(left),
      right: JSON.stringify(entries),
    },
    /** Whether the Role is there without the entry. */
    async isTaken({ cluster, namespace }: FaultContext): Promise<boolean> {
      const found = await cluster.get(kind, namespace, role);
      const [rule] = (found?.["rules"] ?? []) as readonly Partial<Record<string, readonly string[]>>[];
      return found !== undefined && !(rule?.[list]?.includes(taken) ?? false);
    },
    take: (context: FaultContext) => write(context, left),
    giveBack: (context: FaultContext) => write(context, entries),
    /** Gives it back. */
    giveBackCommand: (context: RemedyContext): string => patchCommand(context, kind, role, replace(entries)),
    /** Gives the Role another entry, by default in the same list. */
    addCommand: (context: RemedyContext, value: string, to: RoleEntry["list"] = list): string =>
      patchCommand(context, kind, role, [{ op: "add", path: `/rules/0/${to}/-`, value }]),
    /** Gives back what was found to be missing. */
    mendCommand: (where: Pick<RemedyContext, "namespace">, finding: Finding | undefined): string => {
      const at = `/${(finding?.field ?? field).replaceAll(/\[(\d+)\]\./g, "/$1/")}`;
      const value: unknown = JSON.parse(finding?.right ?? JSON.stringify(entries));
      return patchCommand(where, kind, finding?.object.name ?? role, replace(value, at));
    },
  };
}
