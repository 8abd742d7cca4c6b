import { type EpisodeDocument, type Flap, flappingText } from "@microremed/contracts";
import type { Block, Chapter } from "../story.types.ts";
import { measurementTable } from "./words.ts";

/** How the failure came about and how it was proven. */
export function injectionChapter({ injection, redraws, problem, failure }: EpisodeDocument): Chapter {
  const drawnAgain = redraws.map(
    ({ trial, target, reason }): Block => ({
      kind: "text",
      caption: `try ${trial} on ${target} had no effect`,
      text: reason,
    }),
  );
  if (!injection) {
    return {
      title: "Injection",
      blocks: [...drawnAgain, { kind: "text", caption: "proof", text: "none: nothing was injected" }],
    };
  }
  const { reason, measurements } = injection.verdict;
  return {
    title: "Injection",
    blocks: [
      ...drawnAgain,
      ...flapping([{ failure, flap: problem?.flap }, ...(problem?.further ?? [])]),
      {
        kind: "text",
        caption: `proof, from ${new Date(injection.injectedAt).toISOString()} on`,
        text: reason,
      },
      { kind: "table", caption: "measurements", table: measurementTable(measurements) },
      ...(injection.further ?? []).flatMap(({ failure, target, injectedAt, verdict }): Block[] => [
        {
          kind: "text",
          caption: `proof of ${failure} on ${target}, from ${new Date(injectedAt).toISOString()} on`,
          text: verdict.reason,
        },
        {
          kind: "table",
          caption: `measurements of ${failure}`,
          table: measurementTable(verdict.measurements),
        },
      ]),
    ],
  };
}

/** Which faults come and go. */
const flapping = (
  faults: readonly { readonly failure: string; readonly flap?: Flap | undefined }[],
): Block[] =>
  faults.flatMap(({ failure, flap }): Block[] =>
    flap ? [{ kind: "text", caption: failure, text: flappingText(flap) }] : [],
  );
