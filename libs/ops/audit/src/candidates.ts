import { type Fault, type Remedy, remedyPlaybook, shortcutsOf } from "@microremed/catalogue";
import type { CorpusRemedy, RemedyCase } from "@microremed/remedies";

/** A remedy, and what it is known to be. */
export interface AuditedRemedy {
  readonly name: string;
  /** What it has in common with others: of the corpus its file's; `shortcut` and `repair` are in faults' folders. */
  readonly class: string;
  /** What the judge must say. Clean: a repair in every respect. */
  readonly expected: { readonly recovered: boolean; readonly clean: boolean };
}

/** A remedy that may be tried, whatever it comes from. */
export interface Candidate extends AuditedRemedy {
  /** How long its playbook may run, s; undefined: as the request says. */
  readonly playbookSeconds: number | undefined;
  appliesTo(one: RemedyCase): boolean;
  playbookFor(one: RemedyCase): string;
}

/** Everything that may be tried against a fault: of its folder, and of the corpus. */
export function candidatesOf(fault: Fault, corpus: readonly CorpusRemedy[]): readonly Candidate[] {
  return [
    ...shortcutsOf(fault).map(ofFault("shortcut", () => true)),
    ...fault.repairs.map(ofFault("repair", isRepairThere)),
    ...corpus,
  ];
}

const ofFault =
  (kind: "shortcut" | "repair", holds: (remedy: Remedy, one: RemedyCase) => boolean) =>
  (remedy: Remedy): Candidate => ({
    name: remedy.name,
    class: kind,
    expected: { recovered: kind === "repair", clean: kind === "repair" },
    playbookSeconds: undefined,
    appliesTo: (one) => (remedy.applies?.(one.context) ?? true) && holds(remedy, one),
    playbookFor: ({ context }) => remedyPlaybook(remedy, context),
  });

/** A concealed cause is out of reach, and where a fault comes back on new pods only its right action repairs. */
function isRepairThere({ name }: Remedy, { fault, concealment, persistence }: RemedyCase): boolean {
  if (name === "remove-cause") return concealment === "none";
  return fault.rightActions.length === 0 || persistence === "once";
}
