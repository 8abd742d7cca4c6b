import { kinds } from "@microremed/cluster";
import { z } from "zod";
import { affectedObjects } from "./affected-objects.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { CauseLabels } from "./evidence/evidence.ts";
import type { FaultContext, FaultDefinition } from "./fault.ts";
import { flagEvidence } from "./flag-evidence.ts";
import { type DeclaredFlag, dataPath, declaredFlag, flagOf, flagsIn, withVariant } from "./flag-file.ts";
import { flagOff, flagOffInPlace, flagRunbook, flagShortcuts } from "./flag-remedies.ts";
import { offeredWorkloads } from "./target-selectors.ts";
import { endPods, podsOf } from "./workload-pods.ts";

/** A fault in a program that a feature flag of flagd switches on. */
export interface FlagFault extends Partial<CauseLabels> {
  /** Name of the flag. A workload whose model says what the flag does is a target. */
  readonly flag: string;
  /** The variant that the fault makes the default. */
  readonly variant: string;
  /** The workload on which it shows, as the application calls it: an expert knows that. */
  readonly program: string;
  /** What the program does then, as the end of a sentence: "every charge fails". */
  readonly effect: string;
  /** What the program has piled up stays after the flag is off: a repair restarts it. */
  readonly piles?: true;
}

const defaults: CauseLabels = {
  mechanism: "faulty-code",
  systemLevel: "Application",
  faultType: "Code Defect",
};

type Parts =
  | "parameters"
  | "withoutDraw"
  | "targets"
  | "ineligible"
  | "showsOn"
  | "inject"
  | "status"
  | "remove"
  | "truth"
  | "rightActions"
  | "repairs"
  | "shortcuts"
  | "runbook"
  | "evidence";

const Parameters = (variant: string) =>
  z.object({ variant: z.string().default(variant).describe("variant that the flag gets by default") });
type Parameters = ReturnType<typeof Parameters>;
type Context = FaultContext & { readonly parameters: z.output<Parameters> };

/**
 * Targets, injection, status, ground truth, repairs, shortcuts and evidence of a fault that a feature flag switches on. What
 * the flag does is in the model of the environment (`flags` of a behaviour).
 */
export function flagFault({
  flag,
  variant,
  program,
  effect,
  piles,
  ...labels
}: FlagFault): Pick<FaultDefinition<Parameters>, Parts> {
  const cause = { ...defaults, ...labels };
  const live = async ({ cluster, namespace }: FaultContext, { configMap, key }: DeclaredFlag) => {
    const object = await cluster.get(kinds.configMap, namespace, configMap);
    const data: unknown = object?.["data"];
    return Object.entries(data ?? {}).find(([name]) => name === key)?.[1] as string | undefined;
  };
  const write = async (context: FaultContext, { configMap, key }: DeclaredFlag, text: string) => {
    const body = [{ op: "add" as const, path: dataPath(key), value: text }];
    await context.cluster.patch(kinds.configMap, context.namespace, configMap, { type: "json", body });
  };
  const showsOn = ({ workloads }: Environment, target: string): string =>
    program in workloads ? program : target;
  const isOn = (text: string | undefined): boolean => flagsIn(text ?? "")[flag]?.isOn ?? false;

  return {
    ...offeredWorkloads(({ name }, environment) => {
      if (!isHit(environment, flag, name)) return `no program has a flag ${flag} that hits ${name}`;
      return declaredFlag(environment, flag)
        ? undefined
        : `${environment.name} has no flagd with a flag ${flag}`;
    }),
    showsOn,
    parameters: Parameters(variant),
    withoutDraw: "the variants of a flag are those of its file",
    async inject(context: Context) {
      const source = flagOf(context.environment, flag);
      const text = (await live(context, source)) ?? source.text;
      await write(context, source, withVariant(text, flag, context.parameters.variant));
      // flagd's file is copied when its pod starts: new pods have the ConfigMap as it is now.
      await endPods(context, source.server);
    },
    async status(context: Context) {
      const source = flagOf(context.environment, flag);
      const written = isOn(await live(context, source));
      const copies = await runningCopies(context, source);
      const on = copies.filter(({ text }) => isOn(text));
      return {
        present: written || on.length > 0,
        injected: written && copies.length > 0 && on.length === copies.length,
        pods: on.map(({ pod }) => pod),
        expiresAt: null,
        note: `the flag ${flag} is ${written ? "on" : "off"} in ConfigMap ${source.configMap}, and on in ${on.length} of ${copies.length} pods of ${source.server}`,
      };
    },
    async remove(context: Context) {
      const source = flagOf(context.environment, flag);
      if (isOn(await live(context, source))) await write(context, source, source.text);
      const copies = await runningCopies(context, source);
      if (copies.some(({ text }) => isOn(text))) await endPods(context, source.server);
      if (piles) await endPods(context, showsOn(context.environment, context.target));
    },
    truth: (context) => {
      const { configMap, key, right } = flagOf(context.environment, flag);
      const wrong = context.parameters.variant;
      return {
        objects: [
          {
            kind: "ConfigMap",
            name: configMap,
            field: `data.${key}.flags.${flag}.defaultVariant`,
            wrong,
            right,
          },
        ],
        affected: [
          { kind: "ConfigMap", name: configMap },
          ...affectedObjects(context),
          ...affectedObjects({ ...context, target: showsOn(context.environment, context.target) }).filter(
            ({ name }) => name !== context.target,
          ),
        ],
        ...cause,
        explanation: `the feature flag ${flag} in ConfigMap ${configMap} is ${wrong} by default, so ${effect}`,
      };
    },
    rightActions: [],
    repairs: [flagOff(flag, piles && program), flagOffInPlace(flag, piles && program)],
    shortcuts: flagShortcuts(flag),
    runbook: flagRunbook(piles && program),
    evidence: flagEvidence(flag, program, cause),
  };
}

/** Whether the model says that a flag hits a workload. */
const isHit = ({ workloads }: Environment, flag: string, name: string): boolean =>
  Object.entries(workloads).some(([own, { containers }]) =>
    containers.some(({ behaviour }) => {
      const effect = behaviour.flags?.[flag];
      return effect !== undefined && (effect.target ?? own) === name;
    }),
  );

/** The file as each running flagd has it; undefined: it could not be read. */
async function runningCopies(
  context: FaultContext,
  source: DeclaredFlag,
): Promise<{ readonly pod: string; readonly text: string | undefined }[]> {
  const { copy } = source;
  if (!copy) return [];
  const { cluster, namespace } = context;
  const all = await podsOf(context, source.server);
  const pods = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return Promise.all(
    pods.map(async ({ metadata: { name: pod } }) => {
      const asked = {
        namespace,
        pod,
        container: copy.container,
        command: ["cat", copy.path],
        timeoutMs: 20_000,
      };
      const answer = await cluster.exec(asked).catch(() => undefined);
      return { pod, text: answer?.exitCode === 0 ? answer.stdout : undefined };
    }),
  );
}
