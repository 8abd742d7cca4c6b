import { kinds } from "@microremed/cluster";
import { z } from "zod";
import { affectedObjects } from "./affected-objects.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { CauseLabels } from "./evidence/evidence.ts";
import type { FaultContext, FaultDefinition, TruthContext } from "./fault.ts";
import { isLoaded } from "./is-loaded.ts";
import { isRolledOut } from "./noise-parts.ts";
import { patchCommand, type Remedy, type RemedyContext, restartTarget } from "./remedy.ts";
import type { Runbook } from "./runbook.ts";
import { deletePods, restartEverything } from "./shortcuts.ts";
import { switchEvidence } from "./switch-evidence.ts";
import { targetName } from "./target.ts";
import { offeredWorkloads } from "./target-selectors.ts";
import { variableSetting } from "./variable-setting.ts";
import { endPods } from "./workload-pods.ts";

/** A fault in a program that a variable from a ConfigMap switches on. */
export interface SwitchFault extends Partial<CauseLabels> {
  /** Name of the variable. A workload whose model says what it does (`switches` of a behaviour) is a target. */
  readonly variable: string;
  /** What the program does then, as the end of a sentence: "a part of its requests fails". */
  readonly effect: string;
}

const defaults: CauseLabels = {
  mechanism: "faulty-code",
  systemLevel: "Application",
  faultType: "Code Defect",
};

const [off, on] = ["false", "true"];

type Parts =
  | "parameters"
  | "withoutDraw"
  | "targets"
  | "ineligible"
  | "setting"
  | "isSettled"
  | "inject"
  | "status"
  | "remove"
  | "truth"
  | "rightActions"
  | "repairs"
  | "shortcuts"
  | "runbook"
  | "evidence";

const parameters = z.object({});

/** The ConfigMap from which the target's programs have their variable. */
const configMapOf = (context: Pick<TruthContext, "environment" | "target">): string =>
  `${targetName(context)}-runtime-config`;

/**
 * Targets, setting, injection, status, ground truth, repairs, shortcuts and evidence of a fault that a variable switches on. The
 * ConfigMap that has it, and the variable in the pods of the target, are its setting; there the value is `false`.
 */
export function switchFault({
  variable,
  effect,
  ...labels
}: SwitchFault): Pick<FaultDefinition<typeof parameters>, Parts> {
  const cause = { ...defaults, ...labels };
  const read = async (context: FaultContext): Promise<string | undefined> => {
    const { cluster, namespace } = context;
    const object = await cluster.get(kinds.configMap, namespace, configMapOf(context));
    return (object?.["data"] as Record<string, string> | undefined)?.[variable];
  };
  const write = (context: FaultContext, value: string) =>
    context.cluster.patch(kinds.configMap, context.namespace, configMapOf(context), {
      type: "json",
      body: [{ op: "add", path: `/data/${variable}`, value }],
    });
  const setTo = (context: RemedyContext, value: string): string =>
    patchCommand(context, kinds.configMap, configMapOf(context), [
      { op: "replace", path: `/data/${variable}`, value },
    ]);

  const offAndRestart: Remedy = {
    name: "off-and-restart",
    doc: "the expert's fix: sets the variable in the ConfigMap and restarts what reads it",
    commands: (context) => [setTo(context, off), ...restartTarget(context)],
  };
  const offAndDelete: Remedy = {
    name: "off-and-delete-pods",
    doc: "sets the variable in the ConfigMap and deletes the pods, which start again",
    commands: (context) => [setTo(context, off), ...deletePods.commands(context)],
  };
  const onlyConfigMap: Remedy = {
    name: "only-configmap",
    doc: "sets the variable in the ConfigMap, and lets the programs go on with what they were started with",
    commands: (context) => [setTo(context, off)],
  };
  const otherTrue: Remedy = {
    name: "other-value",
    doc: "sets the variable to a value that is neither, and restarts what reads it",
    commands: (context) => [setTo(context, "maybe"), ...restartTarget(context)],
  };

  return {
    ...offeredWorkloads(({ name, workload }, environment) => {
      if (workload.kind !== "Deployment" || !hasSwitch(environment, name, variable))
        return `no program of ${name} reads ${variable}`;
      return isLoaded(environment, name, leastPerRequest)
        ? undefined
        : `requests of users hardly ever reach ${name}`;
    }),
    parameters,
    withoutDraw: "a switch is on or off",
    setting: (context) => variableSetting(context, { configMap: configMapOf(context), variable, value: off }),
    isSettled: (context) => isRolledOut(context, targetName(context)),
    async inject(context) {
      if ((await read(context)) === on) return;
      await write(context, on);
      await endPods(context);
    },
    async status(context) {
      const isOn = (await read(context)) === on;
      return {
        present: isOn,
        injected: isOn && (await isRolledOut(context, targetName(context))),
        pods: [],
        expiresAt: null,
        note: `${variable} is ${isOn ? on : off} in the ConfigMap ${configMapOf(context)}`,
      };
    },
    async remove(context) {
      if ((await read(context)) !== on) return;
      await write(context, off);
      await endPods(context);
    },
    truth: (context) => {
      const name = configMapOf(context);
      return {
        objects: [{ kind: "ConfigMap", name, field: `data.${variable}`, wrong: on, right: off }],
        affected: [{ kind: "ConfigMap", name }, ...affectedObjects(context)],
        ...cause,
        explanation: `${variable} is ${on} in the ConfigMap ${name}, so ${effect}`,
      };
    },
    rightActions: [],
    repairs: [offAndRestart, offAndDelete],
    shortcuts: [onlyConfigMap, otherTrue, restartEverything, deletePods],
    runbook: switchOff(variable),
    evidence: switchEvidence(variable, { wrong: on, right: off }, cause),
  };
}

/** Calls of the workload for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

const hasSwitch = ({ workloads }: Environment, name: string, variable: string): boolean =>
  workloads[name]?.containers[0]?.behaviour.switches?.[variable] !== undefined;

const switchOff = (variable: string): Runbook => ({
  observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps -o name`,
  act: ({ namespace, target, finding }) => ({
    title: `Switch off ${variable} of ${target}`,
    commands: [
      `kubectl -n ${namespace} patch configmap ${finding?.object.name ?? `${target}-runtime-config`} --type=merge -p '{"data":{"${variable}":"${off}"}}'`,
      `kubectl -n ${namespace} rollout restart deployment/${target}`,
      `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
    ],
  }),
});
