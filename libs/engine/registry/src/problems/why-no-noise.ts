import { type Environment, isCache, keepsData, type Noise } from "@microremed/catalogue";
import { noiseTargetsIn } from "./targets-in.ts";

/** Why a noise cannot be on a workload, in a clause; undefined: there is no such workload, so that its name is what is wrong. */
export function whyNoNoise(noise: Noise, target: string, environment: Environment): string | undefined {
  const workload = environment.workloads[target];
  if (!workload) return undefined;
  const possible = noiseTargetsIn(noise, environment);
  const kinds = new Set(possible.map((name) => environment.workloads[name]?.kind));
  const isStore = (name: string): boolean => keepsData(environment, name) && !isCache(environment, name);
  if (workload.operated !== undefined) return "an operator makes it, and would take the change back";
  if (workload.replicas === 0) return "it has no pods";
  if (possible.length > 0 && !kinds.has(workload.kind))
    return `it is a ${workload.kind}, and ${noise.name} is on a ${[...kinds].join(" or a ")}`;
  if (possible.length > 0 && isStore(target) && !possible.some(isStore))
    return `it keeps data, and ${noise.name} is on workloads that keep none`;
  return `it lacks what ${noise.name} is about: ${noise.description.replace(/\.$/, "")}`;
}
