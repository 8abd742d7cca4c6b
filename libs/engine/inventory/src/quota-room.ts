import { type KubeObject, parseQuantity, type Workload } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { z } from "zod";
import { endsFirst } from "./starting/next-place.ts";

const Amounts = z.record(z.string(), z.string()).default({});
const Containers = z
  .array(z.object({ resources: z.object({ requests: Amounts, limits: Amounts }).prefault({}) }))
  .default([]);
const Template = z.object({ initContainers: Containers, containers: Containers });
const Quota = z.object({
  spec: z.object({
    hard: Amounts,
    scopes: z.array(z.string()).default([]),
    scopeSelector: z.unknown().optional(),
  }),
  status: z.object({ hard: Amounts, used: Amounts }).prefault({}),
});
const computed = /^(?:(requests|limits)\.)?(cpu|memory)$/;

/**
 * Whether a quota limits the CPU and memory of pods alone, and each of these workloads could have one more pod beside the
 * present ones. One that limits anything else, or only some pods, is not weighed: the answer is no.
 */
export function leavesRoom(quota: KubeObject, workloads: readonly Workload[]): boolean {
  const read = Quota.safeParse(quota).data;
  if (!read || read.spec.scopes.length > 0 || read.spec.scopeSelector !== undefined) return false;
  const { spec, status } = read;
  return Object.entries(spec.hard).every(([name, hard]) => {
    const [, side = "requests", resource] = computed.exec(name) ?? [];
    if (resource === undefined) return false;
    const room = (parseQuantity(hard) ?? 0) - (parseQuantity(status.used[name]) ?? 0);
    return workloads.every((workload) => {
      const amount = amountOf(workload, side as Side, resource);
      return amount !== undefined && (endsFirst(workload) ? 0 : amount) <= room;
    });
  });
}

type Side = "requests" | "limits";

/** What a pod of the workload takes; undefined: a container does not say, which such a quota refuses. */
function amountOf({ spec }: Workload, side: Side, resource: string): number | undefined {
  const template = Template.safeParse(isJsonObject(spec?.template?.spec) ? spec.template.spec : {}).data;
  if (!template) return undefined;
  const [first, later] = [template.initContainers, template.containers].map((some) =>
    some.map(({ resources: { requests, limits } }) =>
      // A limit alone is also the request.
      parseQuantity(side === "limits" ? limits[resource] : (requests[resource] ?? limits[resource])),
    ),
  );
  const all = [...(first ?? []), ...(later ?? [])];
  if (all.some((amount) => amount === undefined)) return undefined;
  const sum = (later ?? []).reduce<number>((total, amount) => total + (amount ?? 0), 0);
  return Math.max(sum, ...(first ?? []).map((amount) => amount ?? 0));
}
