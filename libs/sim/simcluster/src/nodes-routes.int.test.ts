import { Agent, request } from "node:https";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { type SimCluster, startSimCluster } from "./cluster.ts";

function configOf(cluster: SimCluster): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(cluster.kubeconfig);
  return config;
}

function post(cluster: SimCluster, body: object): Promise<{ status: number | undefined; answer: unknown }> {
  const config = configOf(cluster);
  const agent = new Agent({ ca: Buffer.from(config.getCurrentCluster()?.caData ?? "", "base64") });
  const headers = { authorization: `Bearer ${config.getCurrentUser()?.token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${cluster.url}/microremed/nodes`,
      { method: "POST", agent, headers },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, answer: JSON.parse(text) }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

test("switches a node off over HTTP: it goes NotReady, its pods cannot be reached, and it comes back", async () => {
  await using cluster = await startSimCluster({ name: "t", seed: 1, timeScale: 60, environments: [] });
  const config = configOf(cluster);
  const core = config.makeApiClient(CoreV1Api);
  const readyStatus = async (): Promise<string | undefined> =>
    (await core.readNode({ name: "node-2" })).status?.conditions?.find(({ type }) => type === "Ready")
      ?.status;
  await core.createNamespacedPod({
    namespace: "default",
    body: {
      metadata: { name: "web" },
      spec: { nodeName: "node-2", containers: [{ name: "web", image: "nginx:1.25" }] },
    },
  });
  const release = cluster.loop.hold();
  const phase = async () =>
    (await core.readNamespacedPod({ namespace: "default", name: "web" })).status?.phase;
  await expect.poll(phase).toBe("Running");
  expect((await post(cluster, { name: "node-9", state: "off" })).status).toBe(400);
  expect((await post(cluster, { name: "node-2", state: "off" })).answer).toMatchObject({
    nodes: [{ state: "running" }, { name: "node-2", state: "off" }, { state: "running" }],
  });
  await expect.poll(readyStatus).toBe("Unknown");
  await expect(core.readNamespacedPodLog({ namespace: "default", name: "web" })).rejects.toThrow(
    /dial tcp 192\.168\.10\.12:10250: connect: no route to host/,
  );
  await post(cluster, { name: "node-2", state: "running" });
  await expect.poll(readyStatus).toBe("True");
  release();
});
