import { plainTable, type Table } from "@microremed/scoring";
import type { Candidate, Effect, Pair } from "./pair.ts";
import { sideBySide } from "./side-by-side.ts";

/** A pair as a rater sees it, in lines of at most `width` characters: who wrote a side is not shown. */
export function showPair({ case: of, left, right }: Pair, width: number): string {
  return [
    `${of.failure} of ${of.target} in ${of.environment}`,
    sideBySide("LEFT", "RIGHT", width),
    sideBySide(left.playbook, right.playbook, width),
    "What each did:",
    plainTable(effectsTable(left, right), width),
  ].join("\n\n");
}

function effectsTable(left: Candidate, right: Candidate): Table {
  const row = (name: string, of: (effect: Effect) => string): string[] => [
    name,
    of(left.effect),
    of(right.effect),
  ];
  return [
    ["", "left", "right"],
    row("recovered", ({ recovered }) => (recovered ? "yes" : "no")),
    row("clean", ({ clean }) => (clean === null ? "not asked" : clean ? "yes" : "no")),
    row("verdict", ({ reason }) => reason),
    row("left changed", ({ changes }) => changesText(changes)),
    row("Ansible", ({ execution }) => execution),
    row("users' requests", ({ requests }) => numberText(requests)),
    row("failed or slow", ({ hurt }) => numberText(hurt)),
    row("pods restarted", ({ podsRestarted }) => numberText(podsRestarted)),
    row("recovered after", ({ recoveredSeconds }) =>
      recoveredSeconds === null ? "-" : `${Math.round(recoveredSeconds)} s`,
    ),
  ];
}

function changesText(changes: Effect["changes"]): string {
  const texts = changes.map(
    ({ class: meaning = "changed", what, object, detail }) =>
      `[${meaning}] ${what} ${object}${detail === "" ? "" : `: ${detail}`}`,
  );
  return texts.join("; ") || "nothing";
}

const numberText = (value: number | null): string => (value === null ? "-" : String(Math.round(value)));
