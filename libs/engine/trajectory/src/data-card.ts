import { defaultTask, type EpisodeDocument, environmentOf, taskOf } from "@microremed/contracts";
import { counted } from "@microremed/core";
import { markdownTable } from "@microremed/scoring";
import { columns } from "./columns.ts";
import type { ExportFormat } from "./formats/format.ts";
import { rewardsOf } from "./rewards.ts";

/** What an exported file is, of what, and what to mind: a page in Markdown that is written beside it. */
export function dataCard(episodes: readonly EpisodeDocument[], format: ExportFormat, file: string): string {
  const scored = episodes.filter((episode) => rewardsOf(episode).strict !== null);
  const passed = scored.filter((episode) => rewardsOf(episode).strict === 1);
  const word = scored.every((episode) => taskOf(episode) === defaultTask) ? "remediated" : "passed";
  const tabular = format.name === "csv" || format.name === "parquet";
  return `# ${file}

${counted(episodes.length, "episode")} of MicroRemed as ${format.name}: ${format.description}.

${markdownTable([
  ["", ""],
  ["MicroRemed", listOf(episodes, ({ metadata }) => String(metadata["harnessVersion"] ?? "unknown"))],
  ["experiments", listOf(episodes, ({ experimentId }) => experimentId)],
  ["environments", listOf(episodes, (one) => environmentOf(one, one.request))],
  ["failures", listOf(episodes, ({ failure }) => failure)],
  ["models", listOf(episodes, ({ model }) => model)],
  ["methods", listOf(episodes, ({ method }) => method)],
  ["seeds", listOf(episodes, ({ request }) => String(request.seed))],
  ["scored", `${scored.length}, of them ${passed.length} ${word}`],
  ["outcomes", listOf(episodes, ({ outcome }) => outcome ?? "unfinished")],
])}

## Rewards

\`strict\` is 1 when the strict verdict says that the system recovered and 0 when it says that it did not;
\`microremed\` is the same by the original benchmark's rules, which call more things recovered. Both are null for
episodes that say nothing of the model: the injection or the harness failed, or it was cancelled. Leave those out.
Damage and disruption are measured apart: a remediated episode may have cost users more than the failure did.

## What to mind

- Models under \`reference/\` are rules, no language models.
- Prompts, observations and playbooks are as they were stored: long ones are clipped in the middle, with a note.
- Observations come from systems under failure; numbers and names in them differ from run to run.
- Playbooks are untrusted code. They were run in a sandbox; do not run them elsewhere unread.
- Do not report scores on cases that you trained on.
${tabular ? `\n## Columns\n\n${markdownTable([["column", "type", "meaning"], ...columns.map(({ name, type, doc }) => [name, type, doc])])}\n` : ""}`;
}

/** Each value with how many episodes have it, most frequent first. */
function listOf(episodes: readonly EpisodeDocument[], of: (episode: EpisodeDocument) => string): string {
  const counts = Map.groupBy(episodes, of);
  return [...counts]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([value, { length }]) => `${value} (${length})`)
    .join(", ");
}
