import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import { execa } from "execa";
import { dump } from "js-yaml";
import { k8sRoot } from "../places.ts";
import { clusterServices } from "../secrets.ts";
import { chaosMeshVersion, inspectTarget, type TargetState } from "./inspect-target.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Runtime } from "./runtime.ts";

export interface PrepareOptions {
  readonly kubectl: Kubectl;
  /** For helm, which takes it itself. */
  readonly kubeconfig: string;
  readonly context?: string;
  /** Of the cluster in the clusters file. */
  readonly name: string;
  /** The services' kubeconfigs go to <out>/<service>/<name>. */
  readonly out: string;
  /** Namespaces that get a quota: the arenas. */
  readonly namespaces: readonly string[];
  readonly podsPerArena: number;
  /** Chaos Mesh's own manifests, rendered elsewhere, for where there is no helm. */
  readonly chaosMeshManifests?: string;
  readonly dryRun: boolean;
}

/** What was done, or would be: one sentence each; nothing is said of what was already so. */
export interface Prepared {
  readonly changes: readonly string[];
  readonly state: TargetState;
}

const metricsServer =
  "https://github.com/kubernetes-sigs/metrics-server/releases/download/v0.7.2/components.yaml";
const chaosMeshNamespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "chaos-mesh" } };
const helmWithinMs = 600_000;
const helmAnswersMs = 20_000;
/** A year; the API server may give less. */
const tokenHours = 8760;

/**
 * Brings a cluster to where the range can use it, and writes the services' kubeconfigs. Run again it changes only what
 * is missing or different. Throws `cluster-refused` with the API server's words.
 */
export async function prepareTarget(options: PrepareOptions): Promise<Prepared> {
  const { kubectl, dryRun } = options;
  const before = await inspectTarget(kubectl);
  const changes = [
    ...(await ensureChaosMesh(options, before)),
    ...(await ensureMetrics(options, before)),
    ...(await applyTarget(options)),
    ...(await applyQuotas(options)),
    ...(await writeKubeconfigs(options)),
  ];
  return { changes, state: dryRun ? before : await inspectTarget(kubectl) };
}

async function ensureChaosMesh(options: PrepareOptions, state: TargetState): Promise<string[]> {
  const { kubectl, kubeconfig, context, chaosMeshManifests, dryRun } = options;
  if (state.checks.find(({ name }) => name === "chaos mesh")?.ok) return [];
  const { runtime } = state;
  if (!runtime) {
    throw terminal(
      "cluster-refused",
      "the nodes have no container runtime in common that Chaos Mesh knows; install Chaos Mesh 2.7 by hand",
    );
  }
  const what = `Chaos Mesh ${chaosMeshVersion} for ${runtime.runtime} at ${runtime.socketPath}`;
  if (chaosMeshManifests !== undefined) {
    if (!dryRun) {
      // `helm template` prints objects in a namespace that helm itself would create.
      await kubectl(["apply", "--server-side", "-f", "-"], dump(chaosMeshNamespace));
      await kubectl(["apply", "--server-side", "-f", chaosMeshManifests]);
    }
    return [`${what}, from ${chaosMeshManifests}`];
  }
  await requireHelm(runtime);
  if (dryRun) return [`${what}, by helm`];
  const args = [
    ...["upgrade", "--install", "chaos-mesh", "chaos-mesh", "--repo", "https://charts.chaos-mesh.org"],
    ...["--version", chaosMeshVersion, "--namespace", "chaos-mesh", "--create-namespace", "--wait"],
    ...[
      "--set",
      `chaosDaemon.runtime=${runtime.runtime}`,
      "--set",
      `chaosDaemon.socketPath=${runtime.socketPath}`,
    ],
    ...["--kubeconfig", kubeconfig, ...(context === undefined ? [] : ["--kube-context", context])],
  ];
  const ran = await execa("helm", args, { reject: false, timeout: helmWithinMs });
  if (ran.exitCode !== 0) throw terminal("cluster-refused", `helm: ${ran.stderr || ran.shortMessage}`);
  return [`${what}, by helm`];
}

async function requireHelm({ runtime, socketPath }: Runtime): Promise<void> {
  const asked = await execa("helm", ["version", "--short"], { reject: false, timeout: helmAnswersMs });
  if (asked.code !== "ENOENT") return;
  throw terminal(
    "missing-tool",
    `helm is not installed, and Chaos Mesh is not on the cluster: install helm (https://helm.sh), or pass --chaos-mesh-manifests with the output of \`helm template chaos-mesh chaos-mesh --include-crds --namespace chaos-mesh\` of chart ${chaosMeshVersion} with the values chaosDaemon.runtime=${runtime} and chaosDaemon.socketPath=${socketPath}`,
  );
}

async function ensureMetrics({ kubectl, dryRun }: PrepareOptions, state: TargetState): Promise<string[]> {
  if (state.hasMetrics) return [];
  if (!dryRun) await kubectl(["apply", "--server-side", "-f", metricsServer]);
  return [`metrics-server from ${metricsServer}`];
}

async function applyTarget({ kubectl, dryRun }: PrepareOptions): Promise<string[]> {
  const directory = join(k8sRoot, "target");
  if (!dryRun) return changesIn(await kubectl(["apply", "-k", directory]));
  const found = await kubectl(["diff", "-k", directory]).catch(() => "different");
  return found === "" ? [] : [`accounts and rights of ${directory}`];
}

/** A bound on what a remedy may make in an arena. */
async function applyQuotas({ kubectl, namespaces, podsPerArena, dryRun }: PrepareOptions): Promise<string[]> {
  const labels = { "app.kubernetes.io/managed-by": "microremed" };
  const objects = namespaces.flatMap((name) => [
    { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } },
    {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "pod-count", namespace: name },
      spec: {
        hard: { pods: String(podsPerArena) },
      },
    },
  ]);
  if (objects.length === 0) return [];
  if (dryRun) return namespaces.map((name) => `namespace ${name} with a quota of ${podsPerArena} pods`);
  return changesIn(await kubectl(["apply", "-f", "-"], objects.map((object) => dump(object)).join("---\n")));
}

/** kubectl's own lines about what it did, without those about what it left alone. */
function changesIn(output: string): string[] {
  return output.split("\n").filter((line) => line !== "" && !line.endsWith(" unchanged"));
}

interface RawKubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, unknown>> }[];
}

/** A kubeconfig per service that holds a token of its account alone. One that is there and accepted is kept. */
async function writeKubeconfigs(options: PrepareOptions): Promise<string[]> {
  const { kubectl, name, out, dryRun } = options;
  const changes: string[] = [];
  for (const service of clusterServices) {
    const file = join(out, service, name);
    if (await isAccepted(file)) continue;
    changes.push(`kubeconfig ${file}`);
    if (dryRun) continue;
    const token = await kubectl([
      "create",
      "token",
      service,
      "-n",
      "microremed",
      `--duration=${tokenHours}h`,
    ]);
    const raw = JSON.parse(
      await kubectl(["config", "view", "--raw", "--minify", "--flatten", "-o", "json"]),
    ) as RawKubeconfig;
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      clusters: [{ name, cluster: raw.clusters[0]?.cluster }],
      users: [{ name: service, user: { token: token.trim() } }],
      contexts: [{ name, context: { cluster: name, user: service } }],
    };
    await mkdir(join(out, service), { recursive: true, mode: 0o700 });
    await writeFile(file, dump(config), { mode: 0o600 });
  }
  return changes;
}

/** Whether a kubeconfig is there and the API server knows whose it is. */
async function isAccepted(file: string): Promise<boolean> {
  if (!(await stat(file).catch(() => undefined))) return false;
  const ran = await execa("kubectl", ["--kubeconfig", file, "auth", "whoami"], {
    reject: false,
    timeout: 30_000,
  });
  return ran.exitCode === 0;
}
