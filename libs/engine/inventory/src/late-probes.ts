import { noticesTooLate } from "@microremed/catalogue";
import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { z } from "zod";

const Times = z.object({
  initialDelaySeconds: z.number().optional(),
  periodSeconds: z.number().optional(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number().optional(),
});
const probes = ["readinessProbe", "livenessProbe", "startupProbe"];

/** Paths of a workload's probes that notice failures long after those that are declared. */
export function lateProbes(recorded: KubeObject, live: KubeObject): ReadonlySet<string> {
  const declared = probesIn(recorded);
  const late = [...probesIn(live)].filter(([path, now]) => {
    const before = declared.get(path);
    return before !== undefined && noticesTooLate(before, now);
  });
  return new Set(late.map(([path]) => path));
}

function probesIn({ spec }: KubeObject): Map<string, Record<string, number>> {
  const template = isJsonObject(spec) ? spec["template"] : undefined;
  const pod = isJsonObject(template) ? template["spec"] : undefined;
  const found = new Map<string, Record<string, number>>();
  if (!isJsonObject(pod)) return found;
  for (const list of ["containers", "initContainers"]) {
    const containers: readonly unknown[] = Array.isArray(pod[list]) ? pod[list] : [];
    for (const container of containers.filter(isJsonObject)) {
      for (const probe of probes) {
        const times = Times.safeParse(container[probe]).data;
        const path = `spec.template.spec.${list}.${container["name"]}.${probe}`;
        if (times) found.set(path, times as Record<string, number>);
      }
    }
  }
  return found;
}
