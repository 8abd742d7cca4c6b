import { defineEnvironment } from "@microremed/environments";
import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const job = (name: string, image: string, command?: readonly string[]) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: {
    backoffLimit: 0,
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "main", image, ...(command && { command }) }] },
    },
  },
});
const jobs = [
  job("unknown", "registry.example.org/team/migrate:1"),
  job("own-program", "registry.example.org/team/migrate:1", ["/opt/migrate", "up"]),
  job("script", "python:3.12", ["python", "manage.py", "migrate"]),
  job("fails", "busybox:1.36", ["sh", "-c", "exit 3"]),
];
const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "registry.example.org/team/web:1" }] },
    },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web" },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
};
const environment = defineEnvironment({
  manifests: [web, service, ...jobs],
  model: { name: "team", description: "a system with Jobs", source: "made up" },
  workload: { entry: "web:80", requestsPerSecond: 1 },
});

test("Jobs of which nothing is known complete; one whose script fails has failed", async () => {
  using cluster = createLocalCluster({ seed: 1, environments: [environment] });
  const headers = { authorization: `Bearer ${cluster.adminToken}`, "content-type": "application/json" };
  const call = (method: string, path: string, body?: object) =>
    cluster.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  const path = "/apis/batch/v1/namespaces/default/jobs";
  for (const one of jobs) expect((await call("POST", path, one)).status).toBe(201);
  await cluster.clock.sleep(60_000);
  const { items } = JSON.parse((await call("GET", path)).body) as {
    items: { metadata: { name: string }; status: { conditions?: { type: string; status: string }[] } }[];
  };
  const ended = items.map(({ metadata: { name }, status: { conditions = [] } }) => [
    name,
    conditions.find(({ type }) => ["Complete", "Failed"].includes(type))?.type,
  ]);
  expect(Object.fromEntries(ended)).toEqual({
    unknown: "Complete",
    "own-program": "Complete",
    script: "Complete",
    fails: "Failed",
  });
});
