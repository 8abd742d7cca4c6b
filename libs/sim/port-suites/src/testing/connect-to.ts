import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";

/** Connects with the text of a kubeconfig; `clock` is the address of the cluster's own clock, if it serves one. */
export async function connectTo(
  stack: AsyncDisposableStack,
  kubeconfig: string,
  clock?: string,
): Promise<Cluster> {
  const dir = stack.use(await mkdtempDisposable(join(tmpdir(), "microremed-kube-")));
  const file = join(dir.path, "kubeconfig");
  await writeFile(file, kubeconfig);
  const entry = { name: "sim", kubeconfig: file, arenas: 1, ...(clock !== undefined && { clock }) };
  return stack.use(await connectCluster(entry, { log: silentLogger }));
}
