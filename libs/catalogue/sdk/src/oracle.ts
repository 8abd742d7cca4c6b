import type { ContainerSample, ExecResult } from "@microremed/cluster";
import type { Change, EdgeBaseline, LoadOrder, OracleVerdict } from "@microremed/contracts";
import type { Entry, Unmarked } from "./entry.ts";
import type { FaultContext } from "./fault.ts";
import type { ArenaState } from "./measurements/arena-state.ts";
import type { EntryReading } from "./measurements/entry.ts";
import type { PingReading } from "./measurements/ping.ts";
import type { ReachPath, ReachReading } from "./measurements/reach.ts";
import type { RequestsReading } from "./measurements/requests.ts";
import type { TargetState } from "./measurements/target-state.ts";
import type { WriteReading } from "./measurements/writes.ts";
import type { SymptomVerdict } from "./verdict.ts";

/** What the oracles compare with: Baseline.values of the contracts. */
export type BaselineValues = Readonly<Record<string, number>>;

/**
 * What an oracle knows before it measures: the fault's target, what was measured on the healthy system, and since
 * when samples count.
 */
export interface OracleContext extends FaultContext {
  /** The target whose workload is judged, where it is not the fault's own; absent: it is. */
  readonly subject?: string;
  readonly baseline: BaselineValues;
  /** Requests of the healthy call graph; empty: the environment's programs report none. */
  readonly edges: readonly EdgeBaseline[];
  /** What the load follows, times the rates of `edges`; absent: it stays as it was. */
  readonly load?: LoadOrder;
  /** From where on requests are counted; undefined: they are counted from this round on. */
  readonly requestsBefore: RequestsReading | undefined;
  /** Cluster time, ms: whatever was sampled before does not count. */
  readonly since: number;
  /** The template may have other limits than before, as long as they suffice: the fault is in the limits. */
  readonly resourcesMayDiffer: boolean;
}

/** One check of the target: the objects once, and each expensive measurement at most once, when an oracle asks for it. */
export interface Round {
  readonly context: OracleContext;
  readonly state: TargetState;
  /** CPU and memory of the target's pods, as the metrics API last sampled them. */
  samples(): Promise<readonly ContainerSample[]>;
  /** 33 echo requests to each of the target's pods. */
  pings(): Promise<readonly PingReading[]>;
  /** Writes to the target's data mount, in each of its pods. */
  writes(): Promise<readonly WriteReading[]>;
  /** Every workload and pod of the arena. */
  arena(): Promise<ArenaState>;
  /** How the arena departs from what it is to be, the worst first. */
  changes(): Promise<readonly Change[]>;
  /** The arena's own requests. */
  requests(): Promise<RequestsReading>;
  /** Requests of our own on ways within the arena. The clock is held meanwhile. */
  reach(paths: readonly ReachPath[]): Promise<readonly ReachReading[]>;
  /** Requests of our own. */
  entry(): Promise<EntryReading>;
  /**
   * Runs a shell script in a pod of the harness outside of the arena, which has busybox and may ping. The clock is held
   * meanwhile. Throws `cluster-unreachable` (retryable) when that pod is not there.
   */
  runOutside(script: string, timeoutMs: number): Promise<ExecResult>;
}

/**
 * One check on the live target. It judges every replica, and a number that could not be measured fails it.
 * A refusal of the cluster about the target is a failed check; an unreachable cluster or prober is an error.
 */
export interface Oracle extends Entry<"oracle"> {
  /** One sentence: what is in order when it passes. */
  readonly description: string;
  /** Oracles run in the order of their cost, the cheap ones first: 0 reads objects, 50 runs commands in pods. */
  readonly cost: number;
  /** It judges every fault's recovery, whatever the fault names: what a remedy may have broken elsewhere. */
  readonly always?: true;
  /** Of one that always judges: it measures around the target alone, so that each target of an incident needs it. */
  readonly aroundTarget?: true;
  /** What it must know of the healthy target, a number per key with the unit in the key. Absent: nothing. */
  baseline?(round: Round): Promise<BaselineValues>;
  /** Passed: the target is in order. */
  measure(round: Round): Promise<OracleVerdict>;
  /** Shows: the target clearly departs from its baseline. Only for oracles that are the symptom of a fault. */
  symptom?(round: Round): Promise<SymptomVerdict>;
}

/** Declares an oracle: marks the object as an entry of that kind. It is checked when the catalogue is loaded. */
export function defineOracle(oracle: Unmarked<Oracle>): Oracle {
  return { ...oracle, entry: "oracle" };
}

/** Whether a verdict failed only because data is missing: then nothing is known either way. */
export function isInconclusive({ passed, measurements }: OracleVerdict): boolean {
  return !passed && measurements.some(({ value }) => value === null);
}
