import { kinds, type Pod } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { workloadInName } from "@microremed/kube-rules";
import type { Place } from "@microremed/kubectl/over-cluster";
import type { LogLine } from "./window.ts";

/** Bytes of one container's log that are read at once. */
const limitBytes = 4 * 2 ** 20;
const maxLine = 4_000;

type Reader = (stretch: { readonly from: number; readonly to: number }) => Promise<LogLine[]>;

/**
 * Reads what the arena's containers printed after `from` and until `to` (cluster time, ms). Of a container that was
 * replaced since the last reading also what it printed before; what is gone with its pod is not there.
 */
export function createLogReader({ cluster, namespace }: Place): Reader {
  const restarts = new Map<string, number>();
  return async ({ from, to }) => {
    const lines: LogLine[] = [];
    const sinceSeconds = Math.max(1, Math.ceil((to - from) / 1000));
    for (const pod of await cluster.list(kinds.pod, { namespace })) {
      for (const { name: container, restartCount } of containersOf(pod)) {
        const of = { namespace, pod: pod.metadata.name, container };
        const key = `${of.pod}/${container}`;
        const known = restarts.get(key) ?? 0;
        restarts.set(key, restartCount);
        const runs = restartCount > known ? [true, false] : [false];
        for (const previous of runs) {
          const options = { ...of, previous, sinceSeconds, timestamps: true, limitBytes };
          const text = await cluster.logs(options).catch(nothingIfNotThere);
          for (const line of linesOf(text))
            if (line.at > from && line.at <= to)
              lines.push({ ...line, pod: of.pod, workload: workloadInName(of.pod), container });
        }
      }
    }
    return lines;
  };
}

function containersOf({ spec, status }: Pod): { name: string; restartCount: number }[] {
  const counts = new Map(
    (status?.containerStatuses ?? []).map(({ name, restartCount = 0 }) => [name, restartCount]),
  );
  return (spec?.containers ?? []).map(({ name }) => ({ name, restartCount: counts.get(name) ?? 0 }));
}

/** A container that has not started yet, or whose log is gone, has none. */
function nothingIfNotThere(error: unknown): string {
  if (error instanceof AppError && error.code === "cluster-refused") return "";
  throw error;
}

function linesOf(text: string): { at: number; text: string }[] {
  return text.split("\n").flatMap((line) => {
    const space = line.indexOf(" ");
    const at = Date.parse(line.slice(0, space));
    return Number.isNaN(at) ? [] : [{ at, text: line.slice(space + 1, space + 1 + maxLine) }];
  });
}
