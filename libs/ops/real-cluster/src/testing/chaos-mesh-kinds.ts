import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSimCluster } from "@microremed/simcluster";
import { execa } from "execa";

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly group: string };
}

/** Writes Chaos Mesh's kinds without its controllers, as the embedded cluster has them: the range lists them on any cluster. */
export async function writeChaosMeshKinds(file: string, dir: string): Promise<void> {
  await using cluster = await startSimCluster({ name: "kinds", seed: 1, timeScale: 1, environments: [] });
  const kubeconfig = join(dir, "kinds.kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
  const { stdout } = await execa("kubectl", ["--kubeconfig", kubeconfig, "get", "crd", "-o", "json"], {
    timeout: 60_000,
  });
  const { items } = JSON.parse(stdout) as { items: readonly Definition[] };
  const kinds = items
    .filter(({ spec }) => spec.group === "chaos-mesh.org")
    .map(({ metadata: { name }, spec }) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name },
      spec,
    }));
  await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: kinds }));
}
