import { z } from "zod";
import { affectedObjects } from "./affected-objects.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { CauseLabels } from "./evidence/evidence.ts";
import type { FaultDefinition } from "./fault.ts";
import { isLoaded } from "./is-loaded.ts";
import { isRolledOut } from "./noise-parts.ts";
import { type Remedy, restartTarget } from "./remedy.ts";
import { runtimeConfigMap, runtimeVariable } from "./runtime-variable.ts";
import { deletePods, restartEverything } from "./shortcuts.ts";
import { switchEvidence } from "./switch-evidence.ts";
import { targetName } from "./target.ts";
import { offeredWorkloads } from "./target-selectors.ts";
import { variableSetting } from "./variable-setting.ts";

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
  const { read, start, setTo, repairs, onlyConfigMap, runbook } = runtimeVariable(variable, off);
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
    setting: (context) =>
      variableSetting(context, { configMap: runtimeConfigMap(context), variable, value: off }),
    isSettled: (context) => isRolledOut(context, targetName(context)),
    inject: (context) => start(context, on),
    async status(context) {
      const isOn = (await read(context)) === on;
      return {
        present: isOn,
        injected: isOn && (await isRolledOut(context, targetName(context))),
        pods: [],
        expiresAt: null,
        note: `${variable} is ${isOn ? on : off} in the ConfigMap ${runtimeConfigMap(context)}`,
      };
    },
    async remove(context) {
      if ((await read(context)) === on) await start(context, off);
    },
    truth: (context) => {
      const name = runtimeConfigMap(context);
      return {
        objects: [{ kind: "ConfigMap", name, field: `data.${variable}`, wrong: on, right: off }],
        affected: [{ kind: "ConfigMap", name }, ...affectedObjects(context)],
        ...cause,
        explanation: `${variable} is ${on} in the ConfigMap ${name}, so ${effect}`,
      };
    },
    rightActions: [],
    repairs,
    shortcuts: [onlyConfigMap, otherTrue, restartEverything, deletePods],
    runbook: runbook(`Switch off ${variable} of`),
    evidence: switchEvidence(variable, { wrong: on, right: off }, cause),
  };
}

/** Calls of the workload for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

const hasSwitch = ({ workloads }: Environment, name: string, variable: string): boolean =>
  workloads[name]?.containers[0]?.behaviour.switches?.[variable] !== undefined;
