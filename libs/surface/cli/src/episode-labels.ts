import { type Environment, type GroundTruth, truthOf, unionOfTruths } from "@microremed/catalogue";
import {
  type EpisodeDocument,
  environmentOf,
  type FaultParameters,
  type Flap,
  firstParameters,
  isInjected,
} from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import type { TelemetryWindow } from "@microremed/telemetry";

type From = Pick<Catalogue, "environments" | "faults">;

interface Part {
  readonly fault: string;
  readonly target: string;
  readonly parameters: FaultParameters | null;
  /** How it comes and goes; null: it stays. */
  readonly flap: Flap | null;
  /** Cluster time, ms; null: it was not injected. */
  readonly injectedAt: number | null;
  readonly expiresAt: number | null;
}

/**
 * What is known of the telemetry of an episode: its incident (in a watch, if it has come), its windows and its ground truth.
 * Times are cluster time, ms.
 * A window is `fault-free`, `faulty` until the agent first acts, and then `remediation`.
 */
export function episodeLabels(
  episode: EpisodeDocument,
  { from, to, stepSeconds, left, missing }: TelemetryWindow,
  catalogue: From,
): object {
  const environment = catalogue.environments.get(environmentOf(episode, episode.request));
  const hasCome = episode.watched === undefined || isInjected(episode.injection);
  const incident = (hasCome ? partsOf(episode) : []).filter(
    ({ fault }) => !catalogue.faults.get(fault).control,
  );
  const begins = incident.flatMap(({ injectedAt }) => injectedAt ?? []);
  const acts = episode.steps.flatMap((step) =>
    step.kind === "act" ? (step.result?.startedAt ?? step.clusterTime ?? []) : [],
  );
  const remedy = Math.min(to, ...acts);
  const fault = Math.min(remedy, ...begins);
  const truths = truthsOf(incident, environment, catalogue);
  const windows = [
    { label: "fault-free", from, to: fault },
    { label: "faulty", from: fault, to: remedy },
    { label: "remediation", from: remedy, to },
  ];
  return {
    ...{ version: 1, episode: episode.id, case: episode.caseId, environment: environment.name },
    ...{ outcome: episode.outcome, model: episode.model, method: episode.method, stepSeconds },
    incident,
    // What the load follows, and from when: its pattern beside the environment's own rate.
    workload: episode.baseline?.load ?? null,
    windows: windows.filter((one) => one.to > one.from),
    truth: unionOfTruths(truths),
    truths,
    ...{ left, missing },
  };
}

function partsOf(episode: EpisodeDocument): Part[] {
  const { failure, target, problem, request, injection } = episode;
  const first: Part = {
    ...{ fault: failure, target, parameters: firstParameters(episode, request) ?? null },
    flap: problem?.flap ?? null,
    ...{ injectedAt: injection?.injectedAt ?? null, expiresAt: injection?.expiresAt ?? null },
  };
  const further = (problem?.further ?? []).map((part, place): Part => {
    const proof = injection?.further?.[place];
    return {
      ...{ fault: part.failure, target: part.target, parameters: part.parameters ?? null },
      flap: part.flap ?? null,
      ...{ injectedAt: proof?.injectedAt ?? null, expiresAt: proof?.expiresAt ?? null },
    };
  });
  return [first, ...further];
}

/** Of each fault, in the incident's order. */
function truthsOf(incident: readonly Part[], environment: Environment, { faults }: From): GroundTruth[] {
  return incident.map(({ fault, ...place }) => truthOf(faults.get(fault), environment, place));
}
