import type { Rng } from "@microremed/core";
import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import type { FieldErrors } from "../schema/field-errors.ts";
import type { GoStruct } from "../schema/go-type.ts";
import type { Daemons } from "./daemons.ts";

/** What Chaos Mesh works with: the API's objects on one side, what runs on the nodes on the other. */
export interface ChaosDeps {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly rng: Rng;
  readonly daemons: Daemons;
  /** Ends a container's main process; the kubelet sees the exit and restarts the container by its policy. */
  killContainer(sandbox: PodSandbox, container: ContainerRuntime, exitCode: number): void;
  /** Addresses of a name, for externalTargets. */
  resolve(host: string): readonly string[];
}

export type Phase = "Not Injected" | "Injected" | "Not Injected/Wait" | "Injected/Wait";

export interface RecordEvent {
  readonly type: "Succeeded" | "Failed";
  readonly operation: "Apply" | "Recover";
  readonly message?: string;
  readonly timestamp: string;
}

/** One selected pod or container and what was done to it: an entry of status.experiment.containerRecords. */
export interface ChaosRecord {
  /** `namespace/pod` or `namespace/pod/container`. */
  readonly id: string;
  /** `.` or, for the far side of a network fault, `.Target`. */
  readonly selectorKey: string;
  readonly phase: Phase;
  readonly injectedCount: number;
  readonly recoveredCount: number;
  readonly events: readonly RecordEvent[];
}

/** What an operation on one record came to. `instance`: new entry of status.instances; null: remove it. */
export interface Outcome {
  readonly phase: Phase;
  readonly instance?: unknown;
}

/** A fault of one kind being put on and taken off. Both throw an Error whose message lands in the record. */
export interface ChaosImpl {
  apply(object: KubeObject, record: ChaosRecord): Outcome;
  recover(object: KubeObject, record: ChaosRecord): Outcome;
}

/** One experiment kind: its fields, its webhook rules and its effect. */
export interface ChaosKind {
  readonly kind: string;
  /** Also the singular. */
  readonly plural: string;
  readonly spec: GoStruct;
  /** Levels at which the webhook reports a bad selector `value`. */
  readonly selectorPaths: readonly string[];
  /** Rules of the validating webhook besides selector and duration. */
  validate(spec: KubeObject["spec"], errors: FieldErrors): void;
  /** Whether records name pods or containers. */
  selects(spec: KubeObject["spec"]): "pod" | "container";
  /** Whether the effect is a single blow (pod-kill): neither paused nor expired nor recovered. */
  oneShot?(spec: KubeObject["spec"]): boolean;
  /** Cluster time of the daemon's call, ms, from .. to. */
  readonly callMs: readonly [number, number];
  /** Internal kind (one object per target pod) that carries the fault, if any. */
  readonly child?: string;
  create(deps: ChaosDeps): ChaosImpl;
}

export const chaosGroup = "chaos-mesh.org";
