import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import type { CaseResult } from "../case.types.ts";
import { type ConformanceOptions, runConformance } from "../run-conformance.ts";

/** Starts an embedded cluster, runs cases on it (default: all) and ends it. `programs` is the folder of the kubectl that is used. */
export async function embeddedResults({
  programs,
  filter,
}: Pick<ConformanceOptions, "programs" | "filter"> = {}): Promise<readonly CaseResult[]> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-embedded-"));
  await using cluster = await startSimCluster({
    name: "conformance",
    seed: 1,
    timeScale: 30,
    environments: [environments.get("online-boutique")],
  });
  const kubeconfig = join(dir.path, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  // A case whose condition can no longer come about uses all of its time; the others and its second try need some too.
  return await runConformance({
    ...{ kubeconfig, jobs: 6, tries: 2, deadlineMs: 40_000, endsAfterwards: true },
    ...(programs !== undefined && { programs }),
    ...(filter && { filter }),
  });
}
