import { isDeepStrictEqual } from "node:util";

/** What a saved episode says of how its case ended. */
export interface EndedCase {
  readonly caseId: string;
  readonly target: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  /** Of the repair: what it left different. */
  readonly damage: unknown;
  readonly injection: { readonly verdict: Verdict } | null;
  readonly steps: readonly {
    readonly tool: string;
    readonly arguments: unknown;
    readonly verdict?: Verdict | null;
  }[];
}

interface Verdict {
  readonly oracle: string;
  readonly passed: boolean;
}

/** One case that two versions ended in different ways, as text. */
export interface Differing {
  readonly caseId: string;
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** Parts of a case's end, in the order in which they are compared. */
const parts: Readonly<Record<string, (one: EndedCase) => unknown>> = {
  target: ({ target }) => target,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  damage: ({ damage }) => damage,
  injection: ({ injection }) => verdictOf(injection?.verdict),
  steps: ({ steps }) => steps.map(({ tool, verdict, ...step }) => [tool, step.arguments, verdictOf(verdict)]),
};
const mostShown = 300;

/** The cases that differ, by their ids: of each the first part that does. */
export function differences(before: readonly EndedCase[], now: readonly EndedCase[]): Differing[] {
  const [former, current] = [before, now].map((cases) => new Map(cases.map((one) => [one.caseId, one])));
  const ids = [...new Set([...(former?.keys() ?? []), ...(current?.keys() ?? [])])].sort();
  return ids.flatMap((caseId) => {
    const [one, other] = [former?.get(caseId), current?.get(caseId)];
    if (!one || !other) return [{ caseId, what: "case", before: said(one), now: said(other) }];
    const found = Object.entries(parts).find(([, of]) => !isDeepStrictEqual(of(one), of(other)));
    if (!found) return [];
    const [what, of] = found;
    return [{ caseId, what, before: text(of(one)), now: text(of(other)) }];
  });
}

const said = (one: EndedCase | undefined): string => (one ? "ran" : "did not run");
const verdictOf = (verdict: Verdict | null | undefined) => verdict && [verdict.oracle, verdict.passed];
const text = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, mostShown);
