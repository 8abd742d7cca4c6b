import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger, terminal } from "@microremed/core";
import { createKubectl, prepareTarget } from "@microremed/deploy";
import { createRangeClient, type RangeClient } from "@microremed/range-client";
import { type StackOptions, startStack } from "@microremed/stack";
import type { RealCluster } from "../real-cluster.ts";
import { writeChaosMeshKinds } from "./chaos-mesh-kinds.ts";
import { type Ended, runTrials } from "./outcomes.ts";
import type { PlannedTrial } from "./trials.ts";

/** Is given each trial that has ended. */
export type Note = (trial: PlannedTrial, ended: Ended) => Promise<void>;

/** Catalogues beside our own whose faults are tried. */
export const catalogueDirs: readonly string[] = [
  fileURLToPath(new URL("../../../../../docs/examples/catalogue/", import.meta.url)),
];
const embeddedClusters = 3;
/** Side by side: the time of a real cluster cannot fly. Three nodes have room for the requests of their pods and of new ones. */
const realArenas = 14;
/** Each of these has an account of its own on a real cluster. */
const services = ["injector", "executor", "verifier"] as const;

/** Runs the trials on embedded clusters. */
export async function runOnEmbedded(trials: readonly PlannedTrial[], note: Note): Promise<void> {
  await onEmbedded(catalogueDirs, (client) => runTrials(client, trials, embeddedClusters, note));
}

/** Has a range with these catalogues used on embedded clusters. */
export async function onEmbedded(
  dirs: readonly string[],
  use: (client: RangeClient) => Promise<void>,
): Promise<void> {
  const clusters = { environments: ["simple-micro"], count: embeddedClusters, timeScale: 10, seed: 1 };
  await useRange({ clusters, catalogueDirs: dirs }, use);
}

/** Prepares the cluster as an operator does, and runs the trials there. */
export async function runOnReal(
  { kubeconfig }: Pick<RealCluster, "kubeconfig">,
  trials: readonly PlannedTrial[],
  note: Note,
): Promise<void> {
  await onReal({ kubeconfig }, catalogueDirs, (client) => runTrials(client, trials, realArenas, note));
}

/** Prepares the cluster as an operator does, and has a range with these catalogues used on it. */
export async function onReal(
  { kubeconfig }: Pick<RealCluster, "kubeconfig">,
  dirs: readonly string[],
  use: (client: RangeClient) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-outcomes-"));
  try {
    await useRange({ ...(await prepared(kubeconfig, dir)), catalogueDirs: dirs }, use);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function prepared(
  kubeconfig: string,
  dir: string,
): Promise<Pick<StackOptions, "clusters" | "variables">> {
  const chaosMeshManifests = join(dir, "chaos-mesh.json");
  await writeChaosMeshKinds(chaosMeshManifests, dir);
  const out = join(dir, "kubeconfigs");
  const { state } = await prepareTarget({
    ...{ kubectl: createKubectl(kubeconfig), kubeconfig, name: "real", out },
    ...{ namespaces: [], podsPerArena: 200, chaosMeshManifests, dryRun: false },
  });
  const failed = state.checks.filter(({ ok }) => !ok);
  if (failed.length > 0)
    throw terminal("internal", `the real cluster is not prepared: ${JSON.stringify(failed)}`);
  const fileOf = (service: string): string => join(dir, `${service}.clusters.json`);
  for (const service of services) {
    const clusters = [{ name: "real", kubeconfig: join(out, service, "real"), arenas: realArenas }];
    await writeFile(fileOf(service), JSON.stringify({ clusters }));
  }
  const variables = async (name: string): Promise<Record<string, string>> =>
    services.some((service) => service === name) ? { CLUSTERS_FILE: fileOf(name) } : {};
  return { clusters: fileOf("injector"), variables };
}

async function useRange(
  options: Pick<StackOptions, "clusters" | "variables" | "catalogueDirs">,
  use: (client: RangeClient) => Promise<void>,
): Promise<void> {
  await using stack = await startStack({ ...options, log: silentLogger });
  const { natsUrl: servers, natsUser: user, natsPassword: password } = stack;
  await using client = createRangeClient(
    await connectNatsBus({ servers, user, password, name: "outcomes", log: silentLogger }),
  );
  await use(client);
}
