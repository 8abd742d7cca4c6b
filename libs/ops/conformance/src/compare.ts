import type { CaseResult } from "./case.types.ts";

/** A case that one cluster passes and the other does not. */
export interface Disagreement {
  readonly area: string;
  readonly name: string;
  readonly passedOn: "real" | "embedded";
  /** What went wrong on the other one. */
  readonly reason: string;
}

/** How far two clusters agree in the cases of one area. */
export interface AreaAgreement {
  readonly area: string;
  /** All of its cases. */
  readonly cases: number;
  /** Cases that ran on both. */
  readonly applicable: number;
  readonly agreed: number;
}

/** How far two clusters agree, from the results of the same cases. */
export interface Agreement {
  readonly areas: readonly AreaAgreement[];
  readonly disagreements: readonly Disagreement[];
  /** Cases that neither passes, as `area: name`; they count as agreed. */
  readonly failedOnBoth: readonly string[];
  /** Cases that did not run on one of them. */
  readonly notApplicable: number;
}

const keyOf = ({ area, name }: CaseResult): string => `${area}: ${name}`;

interface Pair {
  readonly one: CaseResult;
  readonly other: CaseResult;
}

const agrees = ({ one, other }: Pair): boolean => one.outcome === other.outcome;

/** The results of each case that ran on both, by `area: name`. */
function pairsOf(real: readonly CaseResult[], embedded: readonly CaseResult[]): ReadonlyMap<string, Pair> {
  const others = new Map(embedded.map((result) => [keyOf(result), result]));
  return new Map(
    real.flatMap((one) => {
      const other = others.get(keyOf(one));
      const ran = other && one.outcome !== "skipped" && other.outcome !== "skipped";
      return ran ? [[keyOf(one), { one, other }] as const] : [];
    }),
  );
}

/** Whether each case of a real cluster ends otherwise on an embedded one, by `area: name`; undefined: not run on both. */
export function differences(
  real: readonly CaseResult[],
  embedded: readonly CaseResult[],
): ReadonlyMap<string, boolean | undefined> {
  const pairs = pairsOf(real, embedded);
  return new Map(
    real.map(keyOf).map((key) => {
      const pair = pairs.get(key);
      return [key, pair && !agrees(pair)];
    }),
  );
}

/** Compares the results of a real and of an embedded cluster. A case that was skipped on one of them is not applicable. */
export function compareResults(real: readonly CaseResult[], embedded: readonly CaseResult[]): Agreement {
  const pairs = [...pairsOf(real, embedded).values()];
  const byArea = Map.groupBy(pairs, ({ one }) => one.area);
  const all = new Map([...real, ...embedded].map((result) => [keyOf(result), result.area]));
  const casesByArea = Map.groupBy(all.values(), (area) => area);
  return {
    areas: [...casesByArea].map(([area, cases]) => {
      const of = byArea.get(area) ?? [];
      return {
        area,
        cases: cases.length,
        applicable: of.length,
        agreed: of.filter(agrees).length,
      };
    }),
    disagreements: pairs
      .filter((pair) => !agrees(pair))
      .map(({ one, other }) => ({
        area: one.area,
        name: one.name,
        passedOn: one.outcome === "passed" ? "real" : "embedded",
        reason: (one.outcome === "passed" ? other.reason : one.reason) ?? "",
      })),
    failedOnBoth: pairs
      .filter(({ one, other }) => one.outcome === "failed" && other.outcome === "failed")
      .map(({ one }) => keyOf(one)),
    notApplicable: all.size - pairs.length,
  };
}

/** Agreement for each area as a Markdown table, and below it what differs. */
export function agreementTable(agreement: Agreement): string {
  const { areas, disagreements, failedOnBoth, notApplicable } = agreement;
  const sum = (field: "applicable" | "agreed"): number => areas.reduce((total, one) => total + one[field], 0);
  const share = (agreed: number, applicable: number): string =>
    applicable === 0 ? "-" : `${((100 * agreed) / applicable).toFixed(1)} %`;
  const row = (name: string, applicable: number, agreed: number): string =>
    `| ${name} | ${applicable} | ${agreed} | ${share(agreed, applicable)} |`;
  return [
    "| area | cases | same result | share |",
    "| --- | --- | --- | --- |",
    ...areas.map(({ area, applicable, agreed }) => row(area, applicable, agreed)),
    row("**all**", sum("applicable"), sum("agreed")),
    "",
    `${notApplicable} cases did not run on both.`,
    ...disagreements.map(
      ({ area, name, passedOn, reason }) =>
        `- ${area}: ${name}: passed on the ${passedOn} cluster only. ${firstLine(reason)}`,
    ),
    ...failedOnBoth.map((name) => `- ${name}: failed on both.`),
  ].join("\n");
}

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";
