import type { Probe } from "@microremed/contracts";
import { shellWord } from "@microremed/core";
import type { Question } from "./question.ts";

/** Lines that are searched for a pattern at most: the latest. */
const searched = 5_000;

export function logs(probe: Extract<Probe, { kind: "logs" }>): Question {
  const { of, container, previous, lines, sinceSeconds, match } = probe;
  const argv = [
    "kubectl",
    "logs",
    of,
    `--tail=${match === undefined ? lines : searched}`,
    ...(container ? [`--container=${container}`] : []),
    ...(previous ? ["--previous"] : []),
    ...(sinceSeconds === undefined ? [] : [`--since=${sinceSeconds}s`]),
  ] as const;
  if (match === undefined) return { argv };
  // A log without such a line is an answer; a pattern that is none is an error.
  const filter = `printf '%s\\n' "$log" | grep -iE -e ${shellWord(match)} | tail -n ${lines}`;
  const script = `set -o pipefail\nlog=$(${argv.map(shellWord).join(" ")}) || exit 1\n${filter} || [ $? = 1 ]`;
  return { argv: ["/bin/bash", "-c", script], render: (printed) => printed || noneOf(probe) };
}

const noneOf = ({ match, of }: Extract<Probe, { kind: "logs" }>): string =>
  `no line of the last ${searched} of ${of} matches ${JSON.stringify(match)}`;
