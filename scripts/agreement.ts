import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outcomes } from "./outcomes.ts";
import { problemOutcomes } from "./problem-outcomes.ts";
import { table } from "./table.ts";

interface Results {
  readonly version: string;
  readonly areas: readonly {
    readonly area: string;
    readonly cases: number;
    readonly applicable: number;
    readonly agreed: number;
  }[];
  readonly disagreements: readonly {
    readonly area: string;
    readonly name: string;
    readonly passedOn: "real" | "embedded";
    readonly why?: string;
  }[];
}

const folder = "libs/ops/real-cluster/results";
const page = "docs/embedded-cluster.md";
const end = "<!-- end -->";

/** The page on the embedded cluster with the tables that follow from the last results on real clusters. */
export function embeddedClusterPage(): { readonly path: string; readonly text: string } {
  const text = readFileSync(page, "utf8");
  const kinds = { conformance: agreement(), outcomes: outcomes(folder), problems: problemOutcomes(folder) };
  const all = Object.entries(kinds);
  return { path: page, text: all.reduce((so, [kind, lines]) => filled(so, kind, lines), text) };
}

/** The page with other lines between the marks of one kind of results. */
function filled(text: string, kind: string, lines: string): string {
  const begin = `<!-- ${kind}, from the results of \`npm run test:real\`, by \`npm run docs:generate\` -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} lacks ${begin} or ${end}`);
  return `${text.slice(0, from)}${begin}\n${lines}\n${text.slice(to)}`;
}

function agreement(): string {
  const files = readdirSync(folder).filter((name) => /^conformance-.*\.json$/.test(name));
  const results = files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Results);
  return [areaTable(results), "", ...results.flatMap(differences)].join("\n").trimEnd();
}

function areaTable(results: readonly Results[]): string {
  const cells = (area: string | undefined): string[] =>
    results.flatMap(({ areas }) => {
      const of = areas.filter((one) => area === undefined || one.area === area);
      const applicable = sum(of.map((one) => one.applicable));
      const agreed = sum(of.map((one) => one.agreed));
      return [String(applicable), applicable === 0 ? "-" : `${agreed} (${percent(agreed / applicable)})`];
    });
  const names = results[0]?.areas ?? [];
  return table(
    ["area", "cases", ...results.flatMap(({ version }) => [`on ${version}`, "same result"])],
    [
      ...names.map(({ area, cases }) => [area, String(cases), ...cells(area)]),
      ["**all**", String(sum(names.map(({ cases }) => cases))), ...cells(undefined)],
    ],
  );
}

function differences({ version, disagreements }: Results): string[] {
  if (disagreements.length === 0) return [];
  const items = disagreements.map(({ area, name, passedOn, why }) => {
    const where = passedOn === "real" ? "the real cluster" : "the embedded cluster";
    return `- ${area}: ${name}: holds on ${where} only. ${why ?? "Not explained yet."}`;
  });
  return [`With ${version} these differ:`, "", ...items, ""];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
