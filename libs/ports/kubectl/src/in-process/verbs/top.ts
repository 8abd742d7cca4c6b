import { type Kind, type KubeObject, kinds, parseQuantity } from "@microremed/cluster";
import { type Call, flagOf, isSet } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { aligned } from "../print-objects.ts";

interface NodeMetrics extends KubeObject {
  readonly usage?: { readonly cpu?: string; readonly memory?: string };
}
const nodeMetrics: Kind<NodeMetrics> = { apiVersion: "metrics.k8s.io/v1beta1", kind: "NodeMetrics" };

const cpu = (cores: number): string => `${Math.ceil(cores * 1000)}m`;
const memory = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}Mi`;

/** `kubectl top pods [--containers]` and `kubectl top nodes` */
export async function top(call: Call): Promise<string> {
  const [what = "", name] = call.operands;
  if (/^(no|nodes?)$/.test(what)) return topNodes(call, name);
  if (!/^(po|pods?)$/.test(what)) throw notSimulated(`top ${what}`);
  const samples = await call.cluster.podMetrics(call.namespace ?? "", flagOf(call, "selector"));
  const rows = isSet(call, "containers")
    ? samples.map((one) => [one.pod, one.container, cpu(one.cpuCores), memory(one.memoryBytes)])
    : [...Map.groupBy(samples, ({ pod }) => pod)].map(([pod, parts]) => [
        pod,
        cpu(parts.reduce((sum, part) => sum + part.cpuCores, 0)),
        memory(parts.reduce((sum, part) => sum + part.memoryBytes, 0)),
      ]);
  const head = isSet(call, "containers") ? ["POD", "NAME"] : ["NAME"];
  return table(call, [...head, "CPU(cores)", "MEMORY(bytes)"], rows);
}

/** Usage, and its share of what pods may have of the node. */
async function topNodes(call: Call, name: string | undefined): Promise<string> {
  const labelSelector = flagOf(call, "selector");
  const [measured, nodes] = await Promise.all([
    call.cluster.list(nodeMetrics, labelSelector === undefined ? {} : { labelSelector }),
    call.cluster.list(kinds.node, {}),
  ]);
  const rows = measured
    .filter(({ metadata }) => name === undefined || metadata.name === name)
    .map(({ metadata, usage }) => {
      const { allocatable = {} } = (nodes.find((node) => node.metadata.name === metadata.name)?.["status"] ??
        {}) as { readonly allocatable?: Readonly<Record<string, string>> };
      const [cores, bytes] = [parseQuantity(usage?.cpu) ?? 0, parseQuantity(usage?.memory) ?? 0];
      return [
        metadata.name,
        ...[cpu(cores), share(cores, allocatable["cpu"])],
        ...[memory(bytes), share(bytes, allocatable["memory"])],
      ];
    });
  return table(call, ["NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)"], rows);
}

const share = (used: number, all: string | undefined): string =>
  `${Math.floor((100 * used) / (parseQuantity(all) || Number.POSITIVE_INFINITY))}%`;

function table(call: Call, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) throw new KubectlFailure("error: metrics not available yet");
  return aligned(isSet(call, "no-headers") ? rows : [head, ...rows]);
}
