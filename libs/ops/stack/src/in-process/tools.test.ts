import { prepareArena } from "@microremed/arena";
import { arenaOn } from "@microremed/arena/testing";
import type { ObserveTool } from "@microremed/catalogue";
import { type Cluster, kinds } from "@microremed/cluster";
import { createInProcessClusters } from "@microremed/cluster/in-process";
import type { ProbeReply } from "@microremed/contracts";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import { askCluster, isClusterQuestion } from "@microremed/kubectl/over-cluster";
import { catalogueConfig, loadCatalogue } from "@microremed/registry";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";

const dirs = catalogueConfig.CATALOGUE_DIRS.parse(process.env["CATALOGUE_DIRS"]);
const catalogue = await loadCatalogue({ dirs });
const observing = catalogue.tools.all().filter((tool): tool is ObserveTool => tool.kind === "observe");

/** What examples speak of: a Deployment, a Service and a ConfigMap `cart`, beside the environment's own. */
async function addCart(cluster: Cluster, namespace: string): Promise<void> {
  const metadata = { name: "cart", namespace };
  const [pattern] = await cluster.list(kinds.deployment, { namespace });
  const labels = { app: "cart" };
  const podSpec = pattern?.spec?.template?.spec;
  const template = {
    metadata: { labels },
    spec: { ...podSpec, containers: podSpec?.containers.slice(0, 1) },
  };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const ports = [{ port: 80 }];
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec });
  await cluster.create({ apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports } });
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { greeting: "hello" } });
}

const environment = catalogue.environments.get("simple-micro");
const { namespace } = environment;
const api = createLocalCluster({ seed: 1, environments: [environment] });
const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
const cluster = await clusters.get("sim");
await prepareArena(arenaOn(cluster, environment), { redeploy: false, timeoutSeconds: 600 });
await addCart(cluster, namespace);
await cluster.clock.sleep(60_000);
const prober = createInProcessProber(clusters.open);
const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly: true });

test.each(observing)("$name: an embedded cluster answers its example", async (tool) => {
  const { signal } = new AbortController();
  const replies: ProbeReply[] = [];
  const ask: Parameters<typeof tool.run>[1]["ask"] = async (probe) => {
    const run = { kubeconfig, timeoutMs: 10_000, signal };
    const reply = isClusterQuestion(probe)
      ? await askCluster(probe, { cluster, namespace, timeoutMs: 10_000, signal })
      : probe.kind === "command"
        ? await prober.runProbe({ ...run, command: probe.command })
        : await prober.runTelemetry({ ...run, probe });
    replies.push(reply);
    return reply;
  };
  const example: unknown = typeof tool.example === "string" ? JSON.parse(tool.example) : tool.example;
  const answer = await tool.run(tool.arguments.parse(example), { namespace, ask, seconds: 10, signal });
  for (const { status, output } of replies) expect(status, output).toBe("ok");
  const printed = typeof answer === "string" ? answer : "act" in answer ? answer.act.tool : answer.output;
  expect(printed.trim(), "what the agent gets").not.toBe("");
});
