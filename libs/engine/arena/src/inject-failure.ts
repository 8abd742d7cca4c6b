import {
  type Fault,
  type FaultContext,
  otherNodes,
  selectorOf,
  selectorText,
  targetOf,
} from "@microremed/catalogue";
import { type Kind, kinds, type Workload } from "@microremed/cluster";
import {
  type Baseline,
  type Concealment,
  type FaultParameters,
  type InjectionEvidence,
  noFailure,
  type RequestReading,
  type ResultOf,
} from "@microremed/contracts";
import {
  countEntry,
  hideTraces,
  judgedFault,
  measureBaseline,
  proveInjection,
} from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { markInjected } from "./measure-damage.ts";

/**
 * The fault, its target as `targetText` writes it, and `timeoutSeconds` of cluster time until it must act, and as
 * long again until its symptom must be measured.
 */
export interface InjectOptions {
  readonly failure: string;
  readonly target: string;
  readonly concealment?: Concealment | undefined;
  /** What the incident sets of the fault's parameters; absent: nothing. */
  readonly parameters?: FaultParameters | undefined;
  readonly timeoutSeconds: number;
}

/**
 * What an injection came to: `ok` with the baseline and the proof, or `no-effect` with the reason. A failure is
 * thrown.
 */
export type InjectBody = Exclude<ResultOf<"inject">["body"], { status: "failed" }>;

/**
 * Measures the healthy target, injects the failure and proves that it bites. A fault that an interrupted run of the
 * same command left behind is removed first, so that the baseline is one.
 */
export async function injectFailure(arena: ArenaContext, options: InjectOptions): Promise<InjectBody> {
  const { cluster } = arena;
  const judged = judgedFault(arena.catalogue, options.failure);
  const { fault } = judged;
  const { target, concealment = "none", parameters } = options;
  const context = { ...arena, target, concealment, ...(parameters && { parameters }) };
  await arena.assertLease();
  if ((await fault.status(context)).present) await fault.remove(context);
  const baseline: Baseline = await measureBaseline(context, judged);
  const requests = await countEntry(context, baseline);
  if (fault.control) {
    const injection = nothingInjected(baseline, requests);
    await markInjected(arena, options, injection);
    return { status: "ok", baseline, injection: { ...injection, concealment } };
  }
  await arena.assertLease();
  await fault.inject(context);
  const proof = await proveInjection(context, judged, baseline, options.timeoutSeconds, requests);
  const nodes = await nodesHit(context, fault);
  const { injectedAt, expiresAt } =
    proof.status === "proven" ? proof.injection : { injectedAt: baseline.takenAt, expiresAt: null };
  await markInjected(arena, options, { injectedAt, expiresAt, ...nodes });
  if (context.concealment === "neutral") await hideTraces(cluster, arena.namespace);
  if (proof.status === "proven")
    return { status: "ok", baseline, injection: { ...proof.injection, ...nodes, concealment } };
  return { status: "no-effect", reason: proof.reason, baseline, verdict: proof.verdict };
}

/** A control needs no proof: that the system is healthy is what the baseline has just shown. */
function nothingInjected({ takenAt }: Baseline, requests: RequestReading | undefined): InjectionEvidence {
  const reason = "nothing was injected: a control";
  return {
    injectedAt: takenAt,
    expiresAt: null,
    verdict: { oracle: noFailure, passed: true, reason, measurements: [] },
    ...(requests && { requests }),
  };
}

/** Where the fault has hit and how many nodes are left, for faults that a workload can be moved away from. */
async function nodesHit(
  context: FaultContext,
  fault: Fault,
): Promise<Pick<InjectionEvidence, "nodes" | "otherNodes">> {
  const place = targetOf(context.environment, context.target);
  if (!place || !fault.rightActions.some(({ needsNodes }) => needsNodes)) return {};
  const { cluster, namespace } = context;
  const labelSelector = selectorText(selectorOf(place.name, place.workload));
  const kind: Kind<Workload> = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const [status, pods, all, workload] = await Promise.all([
    fault.status(context),
    cluster.list(kinds.pod, { namespace, labelSelector }),
    cluster.list(kinds.node, {}),
    cluster.get(kind, namespace, place.name),
  ]);
  const hit = pods.filter(({ metadata }) => status.pods.includes(metadata.name));
  const nodes = [...new Set(hit.flatMap(({ spec }) => spec?.nodeName ?? []))];
  const template = workload?.spec?.template?.spec;
  return { nodes, ...(template && { otherNodes: otherNodes(template, all, nodes) }) };
}
