import type { EpisodeDocument } from "@microremed/contracts";
import type { Block, Chapter } from "../story.types.ts";
import { secondsIn } from "./words.ts";

/** What was left, how the arena came back, and where the time went. */
export function endChapter({ damage, restored, error, timings }: EpisodeDocument): Chapter {
  const failed: Block[] = error
    ? [{ kind: "text", caption: `error ${error.code}`, text: error.message }]
    : [];
  return {
    title: "Damage, restore and times",
    blocks: [
      damageBlock(damage),
      { kind: "text", caption: "arena", text: restored ?? "not restored" },
      ...failed,
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
