import { parseQuantity } from "@microremed/cluster";
import type { ObjectRef } from "../objects/object-ref.ts";
import { shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

/** A container and what it uses of its limit. */
export interface ContainerUse {
  readonly workload: ObjectRef;
  readonly container: string;
  /** Share of the limit: 0..; undefined: it has none. */
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
}

const limits =
  '{range .items[*]}L {.metadata.name} {.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}{range .spec.containers[*]} {.name}={.resources.limits.cpu},{.resources.limits.memory}{end}{"\\n"}{end}';

const usage = (reading: number): string =>
  `{ kubectl get pods -o jsonpath='${limits}'; kubectl top pods --containers --no-headers; } | awk -v reading=${reading} '$1 == "L" { owner[$2] = $3; for (i = 4; i <= NF; i++) { split($i, a, "="); limit[$2 " " a[1]] = a[2] } next } { cpu = $3; mem = $4; sub(/m$/, "", cpu); sub(/Mi$/, "", mem) } cpu + 0 >= 20 || mem + 0 >= 256 { print $1, $2, $3, $4, owner[$1], limit[$1 " " $2] }'`;

/** A line for each container that uses CPU or memory worth mentioning: pod, container, CPU, memory, owner, limits. */
export const usageCall = shellCall(usage(1));

/**
 * The same again, as the reading of this number, from 2: what has just begun is not yet in the means that the metrics API has.
 * Another number is another call. `pauseBefore` is the call to make before it.
 */
export const usageAgain = (reading: number): EvidenceCall => shellCall(usage(reading));

/** Lets the metrics API measure once more: metrics-server does so every 15 s. */
export const pauseBefore = (reading: number): EvidenceCall => ({
  tool: "wait",
  arguments: { seconds: 14 + reading },
});

/** Reads what `usageCall` prints. */
export function sharesOfLimits(text: string): ContainerUse[] {
  const line = /^\S+ (\S+) (\d+m?) (\d+\w*) ([A-Za-z]+\/\S+) ([^\s,]*),(\S*)$/gm;
  return [...text.matchAll(line)].flatMap(
    ([, container = "", cpu, memory, owner = "", cpuLimit, memoryLimit]) => {
      const workload = workloadOfOwner(owner);
      if (!workload) return [];
      return [{ workload, container, cpu: shareOf(cpu, cpuLimit), memory: shareOf(memory, memoryLimit) }];
    },
  );
}

function shareOf(used: string | undefined, limit: string | undefined): number | undefined {
  const [amount, most] = [parseQuantity(used), parseQuantity(limit || undefined)];
  return amount === undefined || most === undefined || most === 0 ? undefined : amount / most;
}
