import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster, Kind, KubeObject } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { startSimCluster } from "@microremed/simcluster";
import { execa } from "execa";
import { dump } from "js-yaml";
import type { OpenApi } from "./schema-violations.ts";

/** An embedded cluster and kubectl on it. */
export interface TestCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly kubeconfig: string;
  /** Everything that kubectl printed on stderr, and its exit code. */
  kubectl(args: readonly string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Applies objects with kubectl. */
  apply(objects: readonly KubeObject[], ...args: string[]): Promise<{ code: number; stderr: string }>;
  openApi(apiVersion: string): Promise<OpenApi>;
}

const deadlineMs = 60_000;

export async function startTestCluster(): Promise<TestCluster> {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-deploy-"));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const sim = stack.use(
    await startSimCluster({ name: "embedded", seed: 1, timeScale: 60, environments: [] }),
  );
  const kubeconfig = join(dir, "kubeconfig");
  await writeFile(kubeconfig, sim.kubeconfig, { mode: 0o600 });
  const cluster = stack.use(
    await connectCluster(
      { name: "embedded", kubeconfig, arenas: 1, clock: sim.clockUrl },
      { log: silentLogger },
    ),
  );
  const kubectl: TestCluster["kubectl"] = async (args, input = "") => {
    const env = { KUBECONFIG: kubeconfig, HOME: dir };
    const ran = await execa("kubectl", args, { input, env, reject: false, timeout: deadlineMs });
    return { code: ran.exitCode ?? -1, stdout: ran.stdout, stderr: ran.stderr };
  };
  const owned = stack.move();
  return {
    cluster,
    kubeconfig,
    kubectl,
    apply: (objects, ...args) =>
      kubectl(["apply", ...args, "-f", "-"], objects.map((object) => dump(object)).join("---\n")),
    openApi: async (apiVersion) => {
      const path = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
      const { stdout } = await kubectl(["get", "--raw", `/openapi/v3/${path}`]);
      return JSON.parse(stdout) as OpenApi;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Waits until `count` objects of a kind are there. */
export async function untilThereAre<T extends KubeObject>(
  { cluster }: TestCluster,
  kind: Kind<T>,
  isEnough: (found: readonly T[]) => boolean,
): Promise<readonly T[]> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await cluster.list(kind, {});
    if (isEnough(found)) return found;
    if (performance.now() > deadline) throw new Error(`only ${found.length} ${kind.kind} after a minute`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
