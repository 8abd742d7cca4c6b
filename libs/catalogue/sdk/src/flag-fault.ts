import { kinds, type Pod } from "@microremed/cluster";
import { z } from "zod";
import { affectedObjects } from "./affected-objects.ts";
import { selectorText } from "./environment/selectors.ts";
import type { CauseLabels } from "./evidence/evidence.ts";
import type { FaultContext, FaultDefinition, TruthContext } from "./fault.ts";
import { flagEvidence } from "./flag-evidence.ts";
import { type DeclaredFlag, declaredFlag, flagsIn, withVariant } from "./flag-file.ts";
import { flagOff, flagOffInPlace, flagRunbook, flagShortcuts } from "./flag-remedies.ts";
import { offeredWorkloads } from "./target-selectors.ts";

/** A fault in a program that a feature flag of flagd switches on. */
export interface FlagFault extends Partial<CauseLabels> {
  /** Name of the flag. A workload whose model says what the flag does is a target. */
  readonly flag: string;
  /** The variant that the fault makes the default. */
  readonly variant: string;
  /** The program whose flag it is, as the application calls it: the workload that an expert has in mind. */
  readonly program: string;
  /** What the program does then, as the end of a sentence: "every charge fails". */
  readonly effect: string;
}

const defaults: CauseLabels = {
  mechanism: "faulty-code",
  systemLevel: "Application",
  faultType: "Code Defect",
};

type Parts =
  | "parameters"
  | "targets"
  | "ineligible"
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

/** A flag that the environment declares. Throws where it does not. */
function declared({ environment }: TruthContext, flag: string): DeclaredFlag {
  const found = declaredFlag(environment, flag);
  if (!found) throw new Error(`${environment.name} has no flagd with a flag ${flag}`);
  return found;
}

/**
 * Targets, injection, status, ground truth, repairs, shortcuts and evidence of a fault that a feature flag switches on. What
 * the flag does is in the model of the environment (`flags` of a behaviour).
 */
export function flagFault({
  flag,
  variant,
  program,
  effect,
  ...labels
}: FlagFault): Pick<FaultDefinition<Parameters>, Parts> {
  const cause = { ...defaults, ...labels };
  const live = async ({ cluster, namespace }: FaultContext, { configMap, key }: DeclaredFlag) => {
    const object = await cluster.get(kinds.configMap, namespace, configMap);
    const data: unknown = object?.["data"];
    return Object.entries(data ?? {}).find(([name]) => name === key)?.[1] as string | undefined;
  };
  const write = async (context: FaultContext, { configMap, key }: DeclaredFlag, text: string) => {
    const body = [{ op: "add" as const, path: `/data/${key.replaceAll("/", "~1")}`, value: text }];
    await context.cluster.patch(kinds.configMap, context.namespace, configMap, { type: "json", body });
  };
  const isOn = (text: string | undefined): boolean => flagsIn(text ?? "")[flag]?.isOn ?? false;

  return {
    ...offeredWorkloads(({ name, workload }, environment) => {
      if (!workload.containers.some(({ behaviour }) => behaviour.flags?.[flag]))
        return `the program of ${name} has no flag ${flag}`;
      return declaredFlag(environment, flag)
        ? undefined
        : `${environment.name} has no flagd with a flag ${flag}`;
    }),
    parameters: Parameters(variant),
    async inject(context: Context) {
      const source = declared(context, flag);
      const text = (await live(context, source)) ?? source.text;
      await write(context, source, withVariant(text, flag, context.parameters.variant));
      await replacePods(context, source);
    },
    async status(context: Context) {
      const source = declared(context, flag);
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
      const source = declared(context, flag);
      if (isOn(await live(context, source))) await write(context, source, source.text);
      const copies = await runningCopies(context, source);
      if (copies.some(({ text }) => isOn(text))) await replacePods(context, source);
    },
    truth: (context) => {
      const { configMap, key, right } = declared(context, flag);
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
        affected: [{ kind: "ConfigMap", name: configMap }, ...affectedObjects(context)],
        ...cause,
        explanation: `the feature flag ${flag} in ConfigMap ${configMap} is ${wrong} by default, so ${effect}`,
      };
    },
    rightActions: [],
    repairs: [flagOff(flag), flagOffInPlace(flag)],
    shortcuts: flagShortcuts(flag),
    runbook: flagRunbook,
    evidence: flagEvidence(flag, program, cause),
  };
}

async function podsOf(
  { cluster, namespace, environment }: FaultContext,
  { server }: DeclaredFlag,
): Promise<Pod[]> {
  const labelSelector = selectorText(environment.workloads[server]?.selector ?? {});
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** flagd's file is copied when its pod starts: new pods have the ConfigMap as it is now. */
async function replacePods(context: FaultContext, source: DeclaredFlag): Promise<void> {
  for (const { metadata } of await podsOf(context, source))
    await context.cluster.delete(kinds.pod, context.namespace, metadata.name);
}

/** The file as each running flagd has it; undefined: it could not be read. */
async function runningCopies(
  context: FaultContext,
  source: DeclaredFlag,
): Promise<{ readonly pod: string; readonly text: string | undefined }[]> {
  const { copy } = source;
  if (!copy) return [];
  const { cluster, namespace } = context;
  return Promise.all(
    (await podsOf(context, source)).map(async ({ metadata: { name: pod } }) => {
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
