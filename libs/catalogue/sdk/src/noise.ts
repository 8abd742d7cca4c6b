import type { Cluster } from "@microremed/cluster";
import type { z } from "zod";
import type { Draw, Draws } from "./drawn/draw.ts";
import type { Entry, Unmarked } from "./entry.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { WithParameters } from "./fault.ts";
import type { ObjectRef } from "./objects/object-ref.ts";

/** The kinds of the lines of a change log, as `diff_since` has them. */
export type LogKind = "created" | "rollout" | "config" | "scale";

/** What a noise is on when no cluster is asked. */
export interface NoisePlace {
  /** As it is declared. */
  readonly environment: Environment;
  /** Name of the workload that it is on; empty: it is beside the system. */
  readonly target: string;
  /** What the problem sets; absent: the noise's own values. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Where a noise is placed: a cluster with the harness's rights, and the arena's namespace. */
export interface NoiseContext extends NoisePlace {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly signal?: AbortSignal;
}

/**
 * A harmless oddity, as every real system has some: no incident, and nothing that users notice. It is made of nothing but
 * what the Kubernetes API takes, or of load (`orderLoad`). Objects that it adds or changes are put back when the arena is restored, by comparing.
 */
export interface Noise extends Entry<"noise"> {
  readonly title: string;
  /** One sentence: what is to be seen of it, and why it is harmless. */
  readonly description: string;
  /** What a problem may set, each with a default. */
  readonly parameters: z.ZodObject;
  /** How its parameters are drawn, by name, as those of a fault are: no literal says that it is harmless. */
  readonly drawn?: Readonly<Record<string, Draw>>;
  /** The metric of `query_metrics` in which its decoys show it; absent: objects or events do. */
  readonly seenIn?: "requests";
  /**
   * Paths of the fields that it changes in its decoys, as a ground truth has them, such as `spec.replicas`: it is the harmless
   * twin of each fault that changes one of them. A change log shows each. Absent: it changes none.
   */
  readonly changes?: readonly string[];
  /** The kinds of the lines that it makes in a change log. Default: one, of the kind that its `changes` make. */
  readonly logs?: readonly LogKind[];
  /** No other noise comes to its workload after it, which would do harm there. */
  readonly alone?: true;
  /** Names of the workloads that it may be on, in the environment's order. Absent: it is beside the system. */
  targets?(environment: Environment): readonly string[];
  /** What an agent names that takes it for the incident: at least one object. */
  decoys(place: NoisePlace): readonly ObjectRef[];
  /** Puts it there; done again it changes nothing. Returns before it is as it is to be. */
  place(context: NoiseContext): Promise<void>;
  /** Whether all has happened that belongs to it, such as a rollout. */
  isSettled(context: NoiseContext): Promise<boolean>;
  /** Takes away what is in no comparison of objects, such as events. Nothing there: nothing happens. */
  remove?(context: NoiseContext): Promise<void>;
}

/** A noise as its author writes it: its own parameters are in every context, read and complete. */
export interface NoiseDefinition<S extends z.ZodObject>
  extends Omit<Unmarked<Noise>, "parameters" | "drawn" | "decoys" | "place" | "isSettled" | "remove"> {
  readonly parameters: S;
  readonly drawn?: Draws<S>;
  decoys(place: NoisePlace & WithParameters<z.output<S>>): readonly ObjectRef[];
  place(context: NoiseContext & WithParameters<z.output<S>>): Promise<void>;
  isSettled(context: NoiseContext & WithParameters<z.output<S>>): Promise<boolean>;
  remove?(context: NoiseContext & WithParameters<z.output<S>>): Promise<void>;
}

/** Declares a noise. Its parameters are read by its schema before any of its functions is called. */
export function defineNoise<S extends z.ZodObject>(definition: NoiseDefinition<S>): Noise {
  const read = <C extends { readonly parameters?: Readonly<Record<string, unknown>> }>(context: C) => ({
    ...context,
    parameters: definition.parameters.parse(context.parameters ?? {}),
  });
  const { remove, drawn, ...rest } = definition;
  return {
    ...rest,
    ...(drawn && { drawn: drawn as NonNullable<Noise["drawn"]> }),
    entry: "noise",
    decoys: (place) => definition.decoys(read(place)),
    place: (context) => definition.place(read(context)),
    isSettled: (context) => definition.isSettled(read(context)),
    ...(remove && { remove: (context: NoiseContext) => remove(read(context)) }),
  };
}
