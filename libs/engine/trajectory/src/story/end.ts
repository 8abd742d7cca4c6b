import type { EpisodeDocument } from "@microremed/contracts";
import type { Block, Chapter } from "../story.types.ts";
import { secondsIn } from "./words.ts";

/** What was left, how the arena came back, and where the time went. */
export function endChapter({ damage, restored, error, timings, earlier = [] }: EpisodeDocument): Chapter {
  const failed: Block[] = error
    ? [{ kind: "text", caption: `error ${error.code}`, text: error.message }]
    : [];
  return {
    title: "Damage, restore and times",
    blocks: [
      damageBlock(damage),
      { kind: "text", caption: "arena", text: restored ?? "not restored" },
      ...failed,
      ...earlierBlocks(earlier),
      {
        kind: "table",
        caption: "stages, wall clock",
        table: [
          ["stage", "try", "attempt", "started", "took"],
          ...timings.map(({ stage, trial, attempt, startedAt, endedAt }) => [
            stage,
            String(trial),
            String(attempt),
            new Date(startedAt).toISOString(),
            secondsIn(endedAt === null ? null : (endedAt - startedAt) / 1000),
          ]),
        ],
      },
    ],
  };
}

/** What the agent had been given in trials that came to no outcome. */
function earlierBlocks(earlier: NonNullable<EpisodeDocument["earlier"]>): Block[] {
  if (earlier.length === 0) return [];
  const rows = earlier.map(({ trial, target, reason, steps }) => [
    String(trial),
    target,
    reason,
    steps.map(({ tool }) => tool).join(", "),
  ]);
  return [
    {
      kind: "table",
      caption: "tries before this one in which the agent had been given something",
      table: [["try", "target", "it broke off because", "its steps"], ...rows],
    },
  ];
}

function damageBlock(damage: EpisodeDocument["damage"]): Block {
  if (!damage) return { kind: "text", caption: "damage", text: "not compared" };
  if (damage.changes.length === 0)
    return { kind: "text", caption: "damage", text: "none: nothing was left changed" };
  return {
    kind: "table",
    caption: "damage: how the arena was left, by class",
    table: [
      ["class", "where", "what", "object", "detail"],
      ...damage.changes.map((change) => [
        change.class ?? "",
        change.where,
        change.what,
        change.object,
        change.detail,
      ]),
    ],
  };
}
