import { kinds } from "@microremed/cluster";
import type { FaultContext, TruthContext } from "./fault.ts";
import { patchCommand, type Remedy, type RemedyContext, restartTarget } from "./remedy.ts";
import type { Runbook } from "./runbook.ts";
import { deletePods } from "./shortcuts.ts";
import { targetName } from "./target.ts";
import { endPods } from "./workload-pods.ts";

/** The ConfigMap from which a target's programs have a variable that a setting gave them. */
export const runtimeConfigMap = (context: Pick<TruthContext, "environment" | "target">): string =>
  `${targetName(context)}-runtime-config`;

/** A variable that a target's programs read from their ConfigMap when they start: how it is read, written and put right. */
export function runtimeVariable(variable: string, right: string) {
  const read = async (context: FaultContext): Promise<string | undefined> => {
    const { cluster, namespace } = context;
    const object = await cluster.get(kinds.configMap, namespace, runtimeConfigMap(context));
    return (object?.["data"] as Record<string, string> | undefined)?.[variable];
  };
  /** Writes another value, and starts the programs with it. */
  async function start(context: FaultContext, value: string): Promise<void> {
    if ((await read(context)) === value) return;
    await context.cluster.patch(kinds.configMap, context.namespace, runtimeConfigMap(context), {
      type: "json",
      body: [{ op: "add", path: `/data/${variable}`, value }],
    });
    await endPods(context);
  }
  const setTo = (context: RemedyContext, value: string): string =>
    patchCommand(context, kinds.configMap, runtimeConfigMap(context), [
      { op: "replace", path: `/data/${variable}`, value },
    ]);
  const repairs: readonly Remedy[] = [
    {
      name: "off-and-restart",
      doc: "the expert's fix: sets the variable in the ConfigMap and restarts what reads it",
      commands: (context) => [setTo(context, right), ...restartTarget(context)],
    },
    {
      name: "off-and-delete-pods",
      doc: "sets the variable in the ConfigMap and deletes the pods, which start again",
      commands: (context) => [setTo(context, right), ...deletePods.commands(context)],
    },
  ];
  const onlyConfigMap: Remedy = {
    name: "only-configmap",
    doc: "sets the variable in the ConfigMap, and lets the programs go on with what they were started with",
    commands: (context) => [setTo(context, right)],
  };
  /** `what`: begins the title, before the workload's name. */
  const runbook = (what: string): Runbook => ({
    observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps -o name`,
    act: ({ namespace, target, finding }) => ({
      title: `${what} ${target}`,
      commands: [
        `kubectl -n ${namespace} patch configmap ${finding?.object.name ?? `${target}-runtime-config`} --type=merge -p '{"data":{"${variable}":"${right}"}}'`,
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    }),
  });
  return { read, start, setTo, repairs, onlyConfigMap, runbook };
}
