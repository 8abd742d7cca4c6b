import type { Pod } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { commandOf, foreignPrograms, type Running, shown } from "./foreign-programs.ts";
import type { ProgramsByContainer } from "./read-programs.ts";

/** What was known right after an injection: `<workload>/<container>` -> commands that are not its first program's. */
export type KnownPrograms = Readonly<Record<string, string[]>>;

/** Something that runs in a declared container and should not, or that cannot be known any more. */
export interface ProgramFinding {
  readonly pod: Pod;
  readonly workload: string;
  readonly class: DamageClass;
  readonly detail: string;
  /** The container could be asked before and cannot be asked now. */
  readonly isSilent: boolean;
}

/** The declared workload that a pod is of; undefined: of none. */
export type WorkloadOf = (pod: Pod) => string | undefined;

/** What to note of programs before the remedies. A container that cannot be asked has no entry. */
export function knownPrograms(
  pods: readonly Pod[],
  programs: ProgramsByContainer,
  workloadOf: WorkloadOf,
): KnownPrograms {
  const entries = readings(pods, programs, workloadOf).flatMap(({ key, reading }): [string, string[]][] =>
    reading ? [[key, reading.left.map(commandOf)]] : [],
  );
  const byKey = Map.groupBy(entries, ([key]) => key);
  return Object.fromEntries(
    [...byKey].map(([key, some]) => [key, [...new Set(some.flatMap(([, commands]) => commands))]]),
  );
}

/** Programs in declared containers that no template starts; a container that could be asked before must answer. */
export function programFindings(
  pods: readonly Pod[],
  programs: ProgramsByContainer,
  workloadOf: WorkloadOf,
  known: KnownPrograms,
): ProgramFinding[] {
  return readings(pods, programs, workloadOf).flatMap((one): ProgramFinding[] => {
    const { pod, container, workload, key, reading } = one;
    if (!reading) {
      const detail = `container ${container} does not say what runs in it, as it did before`;
      return key in known ? [{ pod, workload, class: "acts", detail, isSilent: true }] : [];
    }
    const finding = (is: DamageClass, what: string, program: Running): ProgramFinding => ({
      pod,
      workload,
      class: is,
      detail: `container ${container} ${what}: ${shown(program)}`,
      isSilent: false,
    });
    return [
      ...foreignPrograms(reading, known[key] ?? []).map((program) =>
        finding("acts", "runs a program that its template does not start", program),
      ),
      ...reading.stopped.map((program) =>
        finding("changed", "holds a stopped program, which a signal lets go on", program),
      ),
    ];
  });
}

/** Every container of declared workloads that was asked, and what it answered. */
export function readings(pods: readonly Pod[], programs: ProgramsByContainer, workloadOf: WorkloadOf) {
  return pods.flatMap((pod) => {
    const workload = workloadOf(pod);
    if (workload === undefined) return [];
    return (pod.spec?.containers ?? []).flatMap(({ name: container }) => {
      const reading = programs.get(`${pod.metadata.name}/${container}`);
      const key = `${workload}/${container}`;
      return reading === undefined ? [] : [{ pod, container, workload, key, reading }];
    });
  });
}
