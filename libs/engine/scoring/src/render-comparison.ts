import { defaultTask } from "@microremed/contracts";
import { paragraph } from "./break-text.ts";
import type { Comparison, Difference, Side } from "./compare.ts";
import { decimal, percent, percentInterval, plainPairs, plainTable, type Table } from "./format.ts";
import { groupLabel } from "./group.ts";

/** A comparison for a terminal of `width` characters. */
export function renderComparison(comparison: Comparison, width = Number.POSITIVE_INFINITY): string {
  const { a, b, pairs, both, onlyA, onlyB, neither, warnings } = comparison;
  const text = (sentence: string): string => paragraph(sentence, width);
  const passed = a.task === defaultTask && b.task === defaultTask ? "repaired" : "passed";
  return [
    plainPairs(
      [
        ["A", sideLine(a)],
        ["B", sideLine(b)],
      ],
      width,
    ),
    "",
    text(
      `${pairs} pairs (the same case and run, with a verdict on both sides): ${passed} by both ${both}, only by A ${onlyA}, only by B ${onlyB}, by neither ${neither}`,
    ),
    "",
    plainTable(comparisonTable(comparison), width),
    "",
    text(
      "Differences are B - A over the pairs; intervals: 95 % bootstrap over cases; p: exact McNemar test, two-sided.",
    ),
    ...warnings.map((warning) => text(`warning: ${warning}`)),
    "",
  ].join("\n");
}

/** One comparison as it is; of several a table for each task, with a row for each. */
export function renderComparisons(
  comparisons: readonly Comparison[],
  width = Number.POSITIVE_INFINITY,
): string {
  const [only] = comparisons;
  if (only && comparisons.length === 1) return renderComparison(only, width);
  const byTask = Map.groupBy(comparisons, ({ a }) => a.task);
  const warnings = new Set(
    comparisons.flatMap((one) => one.warnings.map((warning) => `${one.a.experimentId}: ${warning}`)),
  );
  return [
    ...[...byTask].flatMap(([task, some]) => [`Task ${task}`, "", plainTable(taskTable(some), width), ""]),
    paragraph(
      "Pairs are runs of the same case with a verdict on both sides. Differences are B - A over the pairs; intervals: 95 % bootstrap over cases; p: exact McNemar test, two-sided. --output json has every measure.",
      width,
    ),
    ...[...warnings].map((warning) => paragraph(`warning: ${warning}`, width)),
    "",
  ].join("\n");
}

function taskTable(comparisons: readonly Comparison[]): Table {
  const heading = ["A", "B", "on", "pairs", "A passed", "B passed", "difference", "95 % interval", "p"];
  const named = ({ experimentId, model, method }: Side): string => `${experimentId}: ${model}, ${method}`;
  return [
    heading,
    ...comparisons.flatMap(({ a, b, pairs, success, withErrors, p }) => {
      const sides = [named(a), named(b), a.environment];
      const row = (count: number, one: Difference | null, value: number): string[] => {
        const [, ...shares] = one ? shareRow(one, decimal(value, 4)) : ["", "-", "-", "-", "-", "-"];
        return [...sides, String(count), ...shares];
      };
      if (withErrors === null) return [row(pairs, success, p)];
      const [first, second, on, ...rest] = row(withErrors.pairs, withErrors.success, withErrors.p);
      return [row(pairs, success, p), [`${first}, errors as failures`, second ?? "", on ?? "", ...rest]];
    }),
  ];
}

function sideLine(side: Side): string {
  const { remediated, injected, successRate, successInterval } = side.summary;
  const rate = `${remediated}/${injected} = ${percent(successRate)} ${percentInterval(successInterval)}`;
  return `${side.experimentId}: ${groupLabel(side)} on ${side.environment}; all episodes with a verdict: ${rate}`;
}

function comparisonTable({ a, b, success, withErrors, clean, measures, p }: Comparison): Table {
  const most = Math.max(a.summary.passHat.length, b.summary.passHat.length);
  const ks = most > 1 ? Array.from({ length: most }, (_, i) => i) : [];
  const value = (side: Side, i: number): number | null => side.summary.passHat[i]?.value ?? null;
  return [
    ["", "A", "B", "difference", "95 % interval", "p"],
    ...(clean ? [shareRow(clean, "")] : []),
    ...(success ? [shareRow(success, decimal(p, 4))] : []),
    ...(withErrors?.success ? [shareRow(withErrors.success, decimal(withErrors.p, 4))] : []),
    ...ks.map((i) => [`pass^${i + 1}`, percent(value(a, i)), percent(value(b, i)), "", "", ""]),
    ...measures.map((measure) => [
      measure.name,
      number(measure.a),
      number(measure.b),
      signed(measure.difference),
      measure.interval ? `[${number(measure.interval.low)}, ${number(measure.interval.high)}]` : "-",
      "",
    ]),
  ];
}

function shareRow({ name, a, b, difference, interval }: Difference, p: string): string[] {
  const points = `${difference > 0 ? "+" : ""}${percent(difference)}`;
  return [name, percent(a), percent(b), points, percentInterval(interval), p];
}

function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function signed(value: number): string {
  return value > 0 ? `+${number(value)}` : number(value);
}
