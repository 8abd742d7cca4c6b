import type { Chaos, Cluster, Kind } from "@microremed/cluster";
import type { Concealment } from "@microremed/contracts";
import type { ContainerSpec, Environment, WorkloadSpec } from "@microremed/environments";

/** The checks of libs/catalogue/oracles, by name. */
export type OracleName = "ready" | "serving" | "config" | "cpu" | "memory" | "loss" | "latency" | "disk";

/** Where a fault acts. */
export interface FaultContext {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly environment: Environment;
  /** Name of the workload. */
  readonly target: string;
  /** Where chaos objects lie and what they are called; absent: none. */
  readonly concealment?: Concealment;
  readonly signal?: AbortSignal;
}

/** What the injector itself knows of the fault; whether it bites is measured by the symptom's oracle. */
export interface FaultStatus {
  /** Something of the fault is still in the cluster. */
  readonly present: boolean;
  /** The injector says that the fault acts on its target. */
  readonly injected: boolean;
  /** Names of the pods that it acts on, as the injector has them. */
  readonly pods: readonly string[];
  /** Cluster time, ms, at which the fault ends by itself; null: never. */
  readonly expiresAt: number | null;
  /** In words, for evidence and errors. */
  readonly note: string;
}

export type RightAction =
  /** The object that causes the fault is deleted; out of reach where it is concealed. */
  | "remove-cause"
  /** No pod of the workload runs any more on the node on which the fault hit it. */
  | "leave-node";

/** One entry of the fault library. */
export interface Fault {
  /** kebab-case; the file's name. */
  readonly name: string;
  readonly title: string;
  /** The category text of the diagnosis report that a method gets. */
  readonly description: string;
  /** Shows that the fault has bitten, and that it still does. */
  readonly symptom: OracleName;
  /** All of them must hold before the target counts as recovered. */
  readonly recovery: readonly OracleName[];
  /** What ends the fault for good where a new pod does not (persistence: rearm). Empty: a new pod is a repair. */
  readonly rightActions: readonly RightAction[];
  /** Kind of the object that causes it, which concealment puts elsewhere; absent: it is no object of its own. */
  readonly cause?: Kind<Chaos>;
  /** Nothing is injected: what is scored is whether a healthy system is left healthy. Never drawn at random. */
  readonly control?: true;
  /** Undefined: the fault can be injected into the workload; else why not. */
  ineligible(environment: Environment, target: string): string | undefined;
  /** Puts the fault there; one that is there already is replaced. Returns before it acts. */
  inject(context: FaultContext): Promise<void>;
  status(context: FaultContext): Promise<FaultStatus>;
  /** Takes the fault away and waits until its injector has let go. Nothing there: nothing happens. */
  remove(context: FaultContext): Promise<void>;
}

/** Checks a fault's shape where it is written. */
export function defineFault(fault: Fault): Fault {
  return fault;
}

/** The workload of the environment and its first container, on which every fault acts; undefined: no such workload. */
export function targetOf(
  environment: Environment,
  target: string,
): { workload: WorkloadSpec; container: ContainerSpec } | undefined {
  const workload = environment.workloads[target];
  const container = workload?.containers[0];
  return workload && container && { workload, container };
}

/** Why a workload is no target for any fault of the default list; undefined: it is one. */
export function notDrawable(environment: Environment, target: string): string | undefined {
  if (!targetOf(environment, target)) return `${environment.name} has no workload ${JSON.stringify(target)}`;
  if (environment.targets.includes(target)) return undefined;
  return `${target} is not among the targets of ${environment.name}`;
}
