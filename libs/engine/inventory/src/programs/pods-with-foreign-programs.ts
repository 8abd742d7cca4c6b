import type { Environment } from "@microremed/catalogue";
import type { Cluster, Pod } from "@microremed/cluster";
import { readLastMark } from "../mark.ts";
import { workloadsOver } from "../pod-owner.ts";
import { readArena } from "../read-arena.ts";
import { programFindings } from "./program-changes.ts";
import { readPrograms } from "./read-programs.ts";

/** Declared pods in which something runs that was not there at the last injection; none where nothing was noted. */
export async function podsWithForeignPrograms(
  cluster: Cluster,
  namespace: string,
  environment: Environment,
): Promise<readonly Pod[]> {
  const known = (await readLastMark(cluster, namespace))?.programs;
  if (!known) return [];
  const { objects } = await readArena(cluster, namespace);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const programs = await readPrograms(cluster, pods);
  const found = programFindings(pods, programs, workloadsOver(environment, objects), known);
  return [...new Set(found.map(({ pod }) => pod))];
}
