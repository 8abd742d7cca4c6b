import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, type FaultContext, isPodReady, targetOf } from "@microremed/catalogue";
import { type Cluster, kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { environments, renderManifests } from "@microremed/environments";
import { builtInCatalogue } from "@microremed/registry";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { judgedFault } from "./judged-fault.ts";
import { measureBaseline } from "./measure-baseline.ts";
import { ensureProber } from "./prober.ts";
import { proveInjection } from "./prove-injection.ts";
import { verifyRecovery } from "./verify-recovery.ts";

interface SimArena extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly environment: Environment;
}

/** An embedded cluster with one healthy environment on it and the prober. */
async function startSimArena(name: string, system = "online-boutique"): Promise<SimArena> {
  const stack = new AsyncDisposableStack();
  const environment = environments.get(system);
  const sim = stack.use(await startSimCluster({ name, seed: 1, timeScale: 60, environments: [environment] }));
  const dir = stack.use(await mkdtempDisposable(join(tmpdir(), "microremed-arena-")));
  const kubeconfig = join(dir.path, "kubeconfig");
  await writeFile(kubeconfig, sim.kubeconfig);
  const entry = { name, kubeconfig, arenas: 1, clock: sim.clockUrl };
  const cluster = stack.use(await connectCluster(entry, { log: silentLogger }));
  const { namespace } = environment;
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const manifest of renderManifests(environment, { namespace })) await cluster.apply(manifest);
  await ensureProber(cluster);
  const wanted = Object.values(environment.workloads).reduce((sum, { replicas }) => sum + replicas, 0);
  await cluster.waitUntil(
    { what: "all pods Ready", timeoutMs: 600_000, namespace, kinds: [kinds.pod] },
    (view) => (view.list(kinds.pod).filter(isPodReady).length === wanted ? true : undefined),
    (view) =>
      view
        .list(kinds.pod)
        .filter((pod) => !isPodReady(pod))
        .map(({ metadata }) => metadata.name)
        .join(", "),
  );
  return { cluster, namespace, environment, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What an expert would do, without the fault library's own way of removing. */
const runbook: Readonly<Record<string, (context: FaultContext) => Promise<unknown>>> = {
  "cpu-stress": ({ cluster, namespace }) => cluster.delete(kinds.stressChaos, namespace, "cpu-stress"),
  "memory-stress": ({ cluster, namespace }) => cluster.delete(kinds.stressChaos, namespace, "memory-stress"),
  "network-loss": ({ cluster, namespace }) => cluster.delete(kinds.networkChaos, namespace, "network-loss"),
  "network-delay": ({ cluster, namespace }) => cluster.delete(kinds.networkChaos, namespace, "network-delay"),
  "disk-io": ({ cluster, namespace }) => cluster.delete(kinds.ioChaos, namespace, "disk-io"),
  "pod-fail": ({ cluster, namespace }) => cluster.delete(kinds.podChaos, namespace, "pod-fail"),
  "pod-config-error": ({ cluster, namespace, target, environment }) => {
    const container = targetOf(environment, target)?.container;
    const containers = [{ name: container?.name, resources: container?.resources }];
    const body = { spec: { template: { spec: { containers } } } };
    return cluster.patch(kinds.deployment, namespace, target, { type: "strategic", body });
  },
};

/**
 * How an unrepaired failure ends. While containers wait in back-off nobody can say early that nothing happens any more;
 * a starved container may be crashing or just slow when the verdict falls.
 */
const endings: Readonly<Record<string, RegExp>> = {
  "pod-fail": /not recovered within 300 s/,
  "pod-config-error": /not recovered within 300 s|still there/,
};

const catalogue = await builtInCatalogue();

test.concurrent.each(catalogue.faults.all().filter(({ control }) => !control))(
  "$name: it bites, doing nothing does not end it, the runbook does",
  async (fault) => {
    await using arena = await startSimArena(fault.name);
    const target = "productcatalogservice";
    expect(fault.targets(arena.environment)).toContainEqual({ kind: "workload", name: target });
    const judged = judgedFault(catalogue, fault.name);
    const context: FaultContext = { ...arena, target };

    const baseline = await measureBaseline(context, judged);
    await fault.inject(context);
    const proof = await proveInjection(context, judged, baseline, 60);
    expect(proof).toMatchObject({ status: "proven" });
    if (proof.status !== "proven") return;

    const evidence = { baseline, injection: proof.injection, remedyAt: null };
    const idle = await verifyRecovery(context, judged, evidence, 300);
    expect(idle).toMatchObject({ recovered: false });
    expect(idle.reason).toMatch(endings[fault.name] ?? /still there/);

    await runbook[fault.name]?.(context);
    const repaired = await verifyRecovery(context, judged, evidence, 300);
    expect(repaired, JSON.stringify(repaired.oracles)).toMatchObject({ recovered: true });
    expect(repaired.oracles.map(({ oracle }) => oracle).sort()).toEqual(
      [...fault.recovery, "neighbours", "requests"].sort(),
    );
  },
);
