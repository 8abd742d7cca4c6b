import type { Chaos, Cluster, Kind, KubeObject } from "@microremed/cluster";
import type { Concealment, Flap, Flapping } from "@microremed/contracts";
import type { z } from "zod";
import type { Draw, Draws } from "./drawn/draw.ts";
import type { Entry, Unmarked } from "./entry.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { Evidence } from "./evidence/evidence.ts";
import type { GroundTruth } from "./ground-truth.ts";
import type { LogKind } from "./noise.ts";
import type { PublishedRule } from "./published-rule.ts";
import type { Remedy } from "./remedy.ts";
import type { RightAction } from "./right-action.ts";
import type { Runbook } from "./runbook.ts";
import type { Strength } from "./strength.ts";
import type { TargetRef } from "./target.ts";
import { truthOfFlapping } from "./truth-of-flapping.ts";

/**
 * Where a fault acts: a cluster with the harness's rights, the arena's namespace, the environment as it is declared,
 * and the target.
 */
export interface FaultContext {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly environment: Environment;
  /** As messages have it: a workload's name, or `<kind>/<name>` (`parseTarget`). */
  readonly target: string;
  /** What the incident sets; absent: the fault's own values. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Where chaos objects lie and what they are called; absent: none. */
  readonly concealment?: Concealment;
  /** It comes and goes. Absent: it stays. */
  readonly flap?: Flap;
  /** How many of the same fault the incident has before this one, on other targets. Absent: none. */
  readonly repeated?: number;
  readonly signal?: AbortSignal;
}

/** A fault's own parameters, read by its schema. */
export interface WithParameters<P> {
  readonly parameters: P;
}

/** Objects of a setting; promised where making them takes time, such as certificates. */
export type SettingObjects = readonly KubeObject[] | Promise<readonly KubeObject[]>;

/** What the injector itself knows of the fault; whether it acts on users is measured by the symptom's oracle. */
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

/** What a fault may be injected into: a list in the environment's order, and why anything else is none. */
export interface TargetSelector {
  targets(environment: Environment): readonly TargetRef[];
  /** Why the fault's symptom could not show there, in a sentence; undefined: it can. Absent: `targets` alone says so. */
  ineligible?(environment: Environment, target: string): string | undefined;
}

/**
 * What an incident is when no cluster is asked: enough to say what is wrong and what would be right. Without a `namespace` the
 * arena is in the environment's own.
 */
export type TruthContext = Pick<FaultContext, "environment" | "target"> &
  Partial<Pick<FaultContext, "namespace">>;

/** The arena's namespace; without a cluster the environment's own. */
export const namespaceOf = ({ namespace, environment }: TruthContext): string =>
  namespace ?? environment.namespace;

/** One entry of the fault library, as the engine works with it. */
export interface Fault extends Entry<"fault">, TargetSelector {
  readonly title: string;
  /** The category text of the diagnosis report that an agent gets. */
  readonly description: string;
  /** What the incident may set, each with a default. */
  readonly parameters: z.ZodObject;
  /** Some of its family, which its proof tries besides its own values. Absent: it has none. */
  readonly strengths?: readonly Strength[];
  /** How a problem that does not set a parameter draws it from its seed. Absent: it has the parameter's own value. */
  readonly drawn?: Readonly<Record<string, Draw>>;
  /** Why the values that it sets are the same in every problem, in a sentence: of a fault without `drawn` that sets any. */
  readonly withoutDraw?: string;
  /** Why no noise can change such a field without harm, in a sentence: of a fault that changes one that no noise changes. */
  readonly withoutTwin?: string;
  /**
   * Names of the noises that look like it in a change log: it shows the same fields, each given a value of the same form, so that only
   * the state of the system distinguishes them. Absent: none does, or none is meant.
   */
  readonly lookalikes?: readonly string[];
  /** Why no noise can look like it, in a sentence: of a fault of a drawn suite without `lookalikes`. */
  readonly withoutLookalike?: string;
  /** The kinds of the lines that it makes in a change log, of a fault that makes several. Default: one, of the kind of its change. */
  readonly logs?: readonly LogKind[];
  /** The workload on which the fault shows, for a target that is not a workload and has none. */
  showsOn?(environment: Environment, target: string): string;
  /** Name of the oracle that shows that the fault has acted, and that it still does. */
  readonly symptom: string;
  /** Names of the oracles that must all pass before the target counts as recovered. */
  readonly recovery: readonly string[];
  /** What ends the fault for good where a new pod does not (persistence: rearm). Empty: a new pod is a repair. */
  readonly rightActions: readonly RightAction[];
  /** Kind of the object that causes it, which concealment puts elsewhere; absent: it is no object of its own. */
  readonly cause?: Kind<Chaos>;
  /**
   * Names of the workloads whose new pods could end it, as where it shows depends on which nodes they are: nothing harmless is rolled
   * out there while it acts. Absent: of a fault with a `cause` its target's, of others none.
   */
  endedByPodsOf?(environment: Environment, target: string): readonly string[];
  /**
   * Fields of its workload, as `changes` of a noise has them: where a noise has changed one, the fault does not show, such as one that
   * new pods have, where an init container waits for ever. No problem has such a noise there.
   */
  readonly hiddenBy?: readonly string[];
  /**
   * How long what is wrong may last after it was put right, cluster time: what reads it does so now and then. Default: 0. So much
   * longer a symptom may show before nothing more is expected to happen.
   */
  readonly lingersSeconds?: number;
  /** It can come and go by itself: `inject` keeps to the context's `flap`. Absent: it only stays. */
  readonly canFlap?: true;
  /** An incident may have it on several targets: `inject` keeps to the context's `repeated`. Absent: on one only. */
  readonly canRepeat?: true;
  /** Nothing is injected: what is scored is whether a healthy system is left healthy. Never drawn at random. */
  readonly control?: true;
  /** The fault is in the resources: others than before are a repair as long as they suffice. */
  readonly resourcesMayDiffer?: true;
  /** MicroRemed's own pass criterion, for faults that it has. */
  readonly published?: PublishedRule;
  /** What repairs it, each in its own way: a judge that says no is wrong. */
  readonly repairs: readonly Remedy[];
  /** What looks like a repair and is none: no judge may let it pass. Those of all faults come on top. */
  readonly shortcuts: readonly Remedy[];
  /** Names of the shared shortcuts (`sharedShortcuts`) that do not apply to it. */
  readonly notShortcuts?: readonly string[];
  /** How an expert goes about it who knows no more than the failure report. */
  readonly runbook?: Runbook;
  /**
   * Why an expert has no procedure, or one for some targets only, in a sentence: of a fault without a `runbook`, or with one that
   * does not repair each target. No problem that is drawn asks for its repair.
   */
  readonly withoutRunbook?: string;
  /** How it is found by the tools alone, concealed or not. */
  readonly evidence?: Evidence;
  /** Why the tools do not reveal it, in a sentence: of a fault without `evidence`. */
  readonly withoutEvidence?: string;
  /**
   * Objects that belong to the system while the fault is in an incident: what it acts on where environments have no such thing,
   * such as a CronJob. They work before the baseline is measured, are judged as what the environment declares is, and go when
   * the arena is restored. Absent: none.
   */
  setting?(context: TruthContext & Pick<FaultContext, "parameters">): SettingObjects;
  /**
   * What programs of the setting delete and write again, as they write it. It may be absent, or be on its way out, at any moment;
   * while it is there it must be as given here. Absent: nothing.
   */
  rewritten?(context: TruthContext & Pick<FaultContext, "parameters">): readonly KubeObject[];
  /** Objects of the setting as they may be, too: an agent that makes them so has changed nothing for the worse. Absent: none. */
  alternatives?(context: TruthContext & Pick<FaultContext, "parameters">): readonly KubeObject[];
  /** Whether they work as they are to. Absent: they always do. */
  isSettled?(context: FaultContext): Promise<boolean>;
  /**
   * What an operator rightly changes of the system just before the fault, such as a password: right from then on, for judges too.
   * Changes objects of the setting alone, and what datastores have in force. Absent: nothing.
   */
  renew?(context: FaultContext): Promise<void>;
  /** What is wrong, where, and what would be right. */
  truth(context: TruthContext & Pick<FaultContext, "parameters"> & { readonly flap?: Flapping }): GroundTruth;
  /** Puts the fault there; one that is there already is replaced. Returns before it acts. */
  inject(context: FaultContext): Promise<void>;
  status(context: FaultContext): Promise<FaultStatus>;
  /** Takes the fault away and waits until its injector has let go. Nothing there: nothing happens. */
  remove(context: FaultContext): Promise<void>;
}

/** A fault as its author writes it: its own parameters are in every context, read and complete. */
export interface FaultDefinition<S extends z.ZodObject>
  extends Omit<
    Unmarked<Fault>,
    | "parameters"
    | "drawn"
    | "setting"
    | "rewritten"
    | "alternatives"
    | "isSettled"
    | "renew"
    | "truth"
    | "inject"
    | "status"
    | "remove"
  > {
  readonly parameters: S;
  readonly drawn?: Draws<S>;
  setting?(context: TruthContext & WithParameters<z.output<S>>): SettingObjects;
  rewritten?(context: TruthContext & WithParameters<z.output<S>>): readonly KubeObject[];
  alternatives?(context: TruthContext & WithParameters<z.output<S>>): readonly KubeObject[];
  isSettled?(context: FaultContext & WithParameters<z.output<S>>): Promise<boolean>;
  renew?(context: FaultContext & WithParameters<z.output<S>>): Promise<void>;
  truth(context: TruthContext & WithParameters<z.output<S>>): GroundTruth;
  inject(context: FaultContext & WithParameters<z.output<S>>): Promise<void>;
  status(context: FaultContext & WithParameters<z.output<S>>): Promise<FaultStatus>;
  remove(context: FaultContext & WithParameters<z.output<S>>): Promise<void>;
}

/** Declares a fault. Its parameters are read by its schema before any of its functions is called. */
export function defineFault<S extends z.ZodObject>(definition: FaultDefinition<S>): Fault {
  const read = <C extends { readonly parameters?: Readonly<Record<string, unknown>> }>(context: C) => ({
    ...context,
    parameters: definition.parameters.parse(context.parameters ?? {}),
  });
  const { setting, rewritten, alternatives, isSettled, renew, drawn, ...rest } = definition;
  return {
    ...rest,
    entry: "fault",
    ...(drawn && { drawn: drawn as NonNullable<Fault["drawn"]> }),
    ...(setting && { setting: (context) => setting(read(context)) }),
    ...(rewritten && { rewritten: (context) => rewritten(read(context)) }),
    ...(alternatives && { alternatives: (context) => alternatives(read(context)) }),
    ...(isSettled && { isSettled: (context) => isSettled(read(context)) }),
    ...(renew && { renew: (context) => renew(read(context)) }),
    truth: (context) => truthOfFlapping(definition.truth(read(context)), context.flap),
    inject: (context) => definition.inject(read(context)),
    status: (context) => definition.status(read(context)),
    remove: (context) => definition.remove(read(context)),
  };
}
