import { type EpisodeRecord, noFailure } from "@microremed/contracts";

/** One fault of an incident, and where it is. */
export interface IncidentPart {
  readonly failure: string;
  readonly target: string;
}

type Planned = Pick<EpisodeRecord, "failure" | "target" | "problem">;

/** All faults of an episode's incident, in the order of their times; none: nothing is wrong. */
export function incidentOf({ failure, target, problem }: Planned): IncidentPart[] {
  if (failure === noFailure) return [];
  return [
    { failure, target },
    ...(problem?.further ?? []).map((part) => ({ failure: part.failure, target: part.target })),
  ];
}

/** The same in words: `network-loss on shop; cpu-stress on database`, or `no fault, measured at shop`. */
export function incidentText(episode: Planned): string {
  const parts = incidentOf(episode).map(({ failure, target }) => `${failure} on ${target}`);
  return parts.join("; ") || `no fault, measured at ${episode.target}`;
}

/** What rates by failure count an episode under: several faults together are a failure of their own. */
export function failureLabel(episode: Planned): string {
  return [...new Set(incidentOf(episode).map(({ failure }) => failure))].join(" + ") || noFailure;
}
