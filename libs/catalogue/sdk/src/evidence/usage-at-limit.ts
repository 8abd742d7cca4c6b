import { parseQuantity } from "@microremed/cluster";
import type { ObjectRef } from "../objects/object-ref.ts";
import { pauseOf, shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

/** A container and what it uses of its limit. */
export interface ContainerUse {
  readonly pod: string;
  readonly workload: ObjectRef;
  readonly container: string;
  /** Share of the limit: 0..; undefined: it has none. */
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  /** What it uses, MiB. */
  readonly memoryMi: number;
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
export const pauseBefore = (reading: number): EvidenceCall => pauseOf(14 + reading);

/** A line for each pod: its name and its age, as people read it. */
export const podAges = shellCall("kubectl get pods --no-headers | awk '{ print $1, $NF }'");

/** So old at least, in s, has a program started, and so much later than the oldest do pods of an update come. */
const startedAfter = 120;
const updatedAfter = 60;

/** Pods in an answer to `podAges` that are new in an older system: programs take more than usual while they start. */
export function youngPods(answer: string): ReadonlySet<string> {
  const ages = [...answer.matchAll(/^([a-z0-9.-]+) (\w+)$/gm)].map(
    ([, name = "", age = ""]) => [name, secondsOf(age)] as const,
  );
  const oldest = Math.max(...ages.map(([, age]) => age));
  return new Set(
    ages.flatMap(([name, age]) => (age < Math.min(startedAfter, oldest - updatedAfter) ? [name] : [])),
  );
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, y: 31_536_000 };

/** `2m10s` as kubectl writes ages. */
const secondsOf = (age: string): number =>
  [...age.matchAll(/(\d+)([smhdy])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  );

/** Reads what `usageCall` prints. */
export function sharesOfLimits(text: string): ContainerUse[] {
  const line = /^(\S+) (\S+) (\d+m?) (\d+\w*) ([A-Za-z]+\/\S+) ([^\s,]*),(\S*)$/gm;
  return [...text.matchAll(line)].flatMap(
    ([, pod = "", container = "", cpu, memory, owner = "", cpuLimit, memoryLimit]) => {
      const workload = workloadOfOwner(owner);
      if (!workload) return [];
      return [
        {
          pod,
          workload,
          container,
          cpu: shareOf(cpu, cpuLimit),
          memory: shareOf(memory, memoryLimit),
          memoryMi: (parseQuantity(memory) ?? 0) / 2 ** 20,
        },
      ];
    },
  );
}

function shareOf(used: string | undefined, limit: string | undefined): number | undefined {
  const [amount, most] = [parseQuantity(used), parseQuantity(limit || undefined)];
  return amount === undefined || most === undefined || most === 0 ? undefined : amount / most;
}
