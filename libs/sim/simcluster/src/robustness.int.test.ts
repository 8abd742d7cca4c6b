import { request } from "node:https";
import { type Logger, silentLogger } from "@microremed/core";
import { brokenBody, brokenObject } from "@microremed/sim-apiserver/testing";
import { resources } from "@microremed/sim-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startSimCluster } from "./cluster.ts";

const budgetMs = 12_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function clientOf(kubeconfig: string, url: string) {
  const ca = Buffer.from(/certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? "", "base64");
  const authorization = `Bearer ${/token: (\S+)/.exec(kubeconfig)?.[1]}`;
  return (method: string, path: string, body = "", type = "application/json"): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { authorization, "content-type": type };
      const sent = request(url + path, { method, ca, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
}

const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "calm" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "calm" } },
    template: {
      metadata: { labels: { app: "calm" } },
      spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] },
    },
  },
};

test("controllers, scheduler and kubelets live with whatever objects are let in", async () => {
  const failures: unknown[] = [];
  const log: Logger = { ...silentLogger, error: (fields, message) => void failures.push([message, fields]) };
  await using cluster = await startSimCluster({
    name: "fuzzed",
    seed: 1,
    timeScale: 60,
    environments: [],
    log,
  });
  const send = clientOf(cluster.kubeconfig, cluster.url);
  const release = cluster.loop.hold();
  const stored: string[] = [];
  let number = 0;
  const change = fc.constantFrom("create", "create", "patch", "scale", "delete");
  await fc.assert(
    fc.asyncProperty(
      brokenObject,
      change,
      fc.nat(),
      fc.jsonValue({ maxDepth: 1 }),
      async (broken, how, at, value) => {
        const path = stored[at % Math.max(1, stored.length)];
        if (how === "create" || path === undefined) {
          number += 1;
          const { status, text } = await send("POST", broken.url, brokenBody(broken, `o${number}`));
          expect(status >= 500 ? text : "").toBe("");
          if (status === 201) stored.push(`${broken.url}/${JSON.parse(text).metadata.name}`);
          return;
        }
        if (how === "delete") stored.splice(at % stored.length, 1);
        const patch = how === "scale" ? { spec: { replicas: at % 4 } } : { spec: value, status: value };
        const { status, text } = await (how === "delete"
          ? send("DELETE", path)
          : send("PATCH", path, JSON.stringify(patch), "application/merge-patch+json"));
        expect(status >= 500 ? text : "").toBe("");
      },
    ),
    { numRuns: 2_000, interruptAfterTimeLimit: budgetMs, markInterruptAsFailure: false },
  );
  await cluster.loop.sleep(120_000);
  await send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: "calm" } }));
  const { status, text } = await send(
    "POST",
    "/apis/apps/v1/namespaces/calm/deployments",
    JSON.stringify(web),
  );
  expect(status === 201 ? "" : text).toBe("");
  const readyReplicas = () => cluster.store.get(resources.deployments, "calm", "web")?.status?.readyReplicas;
  for (let waited = 0; readyReplicas() !== 2 && waited < 300_000; waited += 1_000)
    await cluster.loop.sleep(1_000);
  expect(readyReplicas()).toBe(2);
  release();
  expect(failures).toEqual([]);
});
