import { type Kind, kinds } from "@microremed/cluster";
import type { Probe, ProbeReply } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import { changes, templates, watched } from "./changes.ts";
import { describe, known } from "./describe.ts";
import { type ClusterQuestion, NotHere, type Place } from "./place.ts";
import { series } from "./series.ts";
import { traces } from "./traces.ts";

export { templates as revisionKinds, watched as changeLogKinds } from "./changes.ts";
export { type ClusterQuestion, NotHere, type Place, type Stretch } from "./place.ts";
export { readSeries } from "./series.ts";
export type { Row as SeriesRow } from "./series.types.ts";
export { type CompactSpan, type CompactTrace, readTraces } from "./traces.ts";

/** Kinds of which a service's own account reads for a question, and how. The tools that ask are named in the catalogue. */
export const readForQuestions: readonly {
  readonly kind: Kind;
  readonly verbs: readonly ("get" | "list")[];
}[] = [
  ...Object.values(known).map((kind) => ({ kind, verbs: ["get", "list"] as const })),
  ...[...watched, ...templates].map((kind) => ({ kind, verbs: ["list"] as const })),
  { kind: kinds.event, verbs: ["list"] },
];

/** Characters of an answer that are kept: the tools that ask make it shorter. */
const maxAnswer = 768 * 1024;

const answers: { readonly [K in ClusterQuestion["kind"]]: (of: never, place: Place) => Promise<string> } = {
  series,
  traces,
  changes,
  describe,
  wait: ({ seconds }: Extract<ClusterQuestion, { kind: "wait" }>, { cluster, signal }) =>
    cluster.clock.sleep(seconds * 1000, signal).then(() => `${seconds} s have passed`),
};

/** Whether a question is answered over the port of clusters. */
export const isClusterQuestion = (probe: Probe): probe is ClusterQuestion =>
  Object.hasOwn(answers, probe.kind);

/**
 * Answers a question over the port of clusters. What the cluster does not have is a reply (`refused`, with what else can
 * be asked); thrown is what is the cluster's fault.
 */
export async function askCluster(question: ClusterQuestion, place: Place): Promise<ProbeReply> {
  const answer = answers[question.kind] as (of: ClusterQuestion, place: Place) => Promise<string>;
  try {
    return { status: "ok", exitCode: 0, output: clipMiddle(await answer(question, place), maxAnswer) };
  } catch (error) {
    if (error instanceof NotHere) return { status: "refused", exitCode: null, output: error.message };
    throw error;
  }
}
