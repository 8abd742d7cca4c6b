import { prepareArena } from "@microremed/arena";
import { createInProcessCluster } from "@microremed/cluster/in-process";
import { silentLogger } from "@microremed/core";
import { environments } from "@microremed/environments";
import { builtInCatalogue } from "@microremed/registry";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { checkEnvironment } from "./check-environment.ts";
import { importEnvironment } from "./import-environment.ts";
import { readCluster } from "./read-cluster.ts";

const catalogue = await builtInCatalogue();
const { signal } = new AbortController();

test("a running system shows its objects, what its containers use, and what its programs call", async () => {
  const environment = environments.get("online-boutique");
  const { namespace } = environment;
  using api = createLocalCluster({ seed: 1, environments: [environment] });
  await using cluster = createInProcessCluster(api, { name: "running", token: api.adminToken });
  const arena = {
    ...{ cluster, range: "test", namespace, lease: { slot: 0, fence: 1 }, environment, catalogue, signal },
    ...{ log: silentLogger, assertLease: async () => {} },
  };
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  await cluster.clock.sleep(600_000);

  const { texts, observed, missing } = await readCluster(cluster, namespace, { signal });
  expect(missing).toEqual([]);
  const made = importEnvironment({ name: "copy", namespace, texts, observed, source: "a test" });
  expect(made.problems).toEqual([]);
  expect(made.namespace).toBe(namespace);
  const text = JSON.stringify(texts);
  expect(text).not.toMatch(/managedFields|resourceVersion|clusterIP"|uid|last-applied|microremed\.io/);

  const calls = made.model.workloads.flatMap((one) => one.calls);
  for (const [from, workload] of Object.entries(environment.workloads))
    for (const { to, perRequest } of workload.calls) {
      const found = calls.find((one) => one.from === from && one.call.to === to);
      expect(found?.confidence, `${from} -> ${to}`).toBe(perRequest < 0.1 ? found?.confidence : "sure");
      expect(Math.abs((found?.call.perRequest ?? 0) - perRequest), `${from} -> ${to}`).toBeLessThan(
        0.3 + 0.2 * perRequest,
      );
    }
  // Its tracing keeps a share: what is known is the least that users send.
  const { value: rate = 0, why = "" } = observed.requestsPerSecond ?? {};
  expect(rate).toBeGreaterThan(0.1);
  expect(rate).toBeLessThan(1.2 * (environment.load.requestsPerSecond ?? 0));
  expect(why).toContain("if only a share is traced");
  const memory = made.findings.find(({ place, what }) => place === "redis-cart/redis" && what === "memoryMi");
  expect(memory).toMatchObject({ confidence: "likely", why: "memory of the running container" });
  expect(Number(memory?.value)).toBeGreaterThanOrEqual(8);
});

test("a namespace that is not in the cluster is named", async () => {
  using api = createLocalCluster({ seed: 1, environments: [] });
  await using cluster = createInProcessCluster(api, { name: "running", token: api.adminToken });
  await expect(readCluster(cluster, "nosuch", { signal })).rejects.toThrow(
    "there is no namespace nosuch in running; expected one that `kubectl get namespaces` lists",
  );
});

const check = async (environment: Parameters<typeof checkEnvironment>[0]["environment"]) => {
  using api = createLocalCluster({ seed: 1, environments: [environment] });
  await using cluster = createInProcessCluster(api, { name: "check", token: api.adminToken });
  const times = { readySeconds: 120, loadSeconds: 300 };
  return await checkEnvironment({ environment, cluster, catalogue, signal, ...times });
};

test("a check says what is Ready, what is answered, and whether the calls of the model are made", async () => {
  const checked = await check(environments.get("simple-micro"));
  expect(checked).toMatchObject({
    problem: "",
    workloads: [
      { name: "time-service", ready: 1, wanted: 1, why: "" },
      { name: "hello-service", ready: 1, wanted: 1, why: "" },
    ],
    requests: { answered: 1, failures: [] },
    calls: [{ from: "hello-service", to: "time-service", declared: 1, measured: 1 }],
  });
  expect(checked.readyAfterSeconds).toBeGreaterThan(0);
  expect(checked.faults.find(({ name }) => name === "pod-fail")?.targets).toBe(2);
});

test("a check of what cannot run says which pods, and why", async () => {
  const deployment = (name: string, container: object) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      selector: { matchLabels: { name } },
      template: {
        metadata: { labels: { name } },
        spec: {
          containers: [
            { name, image: `example.org/${name}:1`, ports: [{ containerPort: 80 }], ...container },
          ],
        },
      },
    },
  });
  const command = ["sh", "-c", "echo connecting; echo 'FATAL: no role app' >&2; exit 3"];
  const job = (name: string, restartPolicy: string) => ({
    ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name } },
    spec: { template: { spec: { restartPolicy, containers: [{ name, image: "busybox:1.35", command }] } } },
  });
  const failing = job("report", "Never").spec;
  const cronJob = (name: string, backoffLimit: number, spec: object) => ({
    ...{ apiVersion: "batch/v1", kind: "CronJob", metadata: { name } },
    spec: { schedule: "30 2 * * *", jobTemplate: { spec: { backoffLimit, ...spec } } },
  });
  const long = {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "long", image: "busybox:1.35", command: ["sleep", "3600"] }],
      },
    },
  };
  const service = {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web" } },
    spec: { selector: { name: "web" }, ports: [{ port: 80 }] },
  };
  const objects = [
    service,
    deployment("web", { readinessProbe: { tcpSocket: { port: 81 } }, ports: [] }),
    deployment("big", { resources: { requests: { memory: "900Gi" } } }),
    deployment("fine", {}),
    job("migrate", "Never"),
    job("seed", "OnFailure"),
    cronJob("report", 0, failing),
    cronJob("retried", 6, failing),
    cronJob("long", 0, long),
  ];
  const text = objects.map((one) => JSON.stringify(one)).join("\n---\n");
  const made = importEnvironment({ name: "sick", texts: [{ name: "a.yaml", text }], source: "a test" });
  const file = (name: string) => made.files.find((one) => one.name === name)?.text ?? "";
  expect(made.problems).toEqual([]);
  const { loadEnvironment } = await import("@microremed/catalogue/environment");
  const environment = loadEnvironment({
    folder: "sick",
    model: { name: "model.yaml", text: file("model.yaml").replaceAll("[81]", "[80]") },
    workload: { name: "workload.yaml", text: file("workload.yaml") },
    manifests: [{ name: "a.yaml", text }],
  });
  const checked = await check(environment);
  expect(checked.problem).toContain("sick");
  expect(checked.readyAfterSeconds).toBeNull();
  const why = Object.fromEntries(checked.workloads.map((one) => [one.name, one.why]));
  expect(why["fine"]).toBe("");
  expect(why["big"]).toContain("Insufficient memory");
  expect(why["web"]).toMatch(/Readiness probe failed|connect/);
  expect(checked.requests?.answered ?? 0).toBe(0);
  const log = ["connecting", "FATAL: no role app"];
  expect(checked.jobs).toEqual([
    {
      kind: "Job",
      name: "migrate",
      isOver: false,
      why: expect.stringMatching(/^migrate ended with code 3, \d pods failed$/),
      log,
    },
    { kind: "Job", name: "seed", isOver: false, why: expect.stringContaining("CrashLoopBackOff"), log },
    { kind: "CronJob", name: "report", isOver: true, why: "report ended with code 3", log },
    {
      kind: "CronJob",
      name: "retried",
      isOver: false,
      why: expect.stringMatching(/^report ended with code 3, [45] pods failed$/),
      log,
    },
  ]);
});

test("what traces refute is left without a number, and a container's load is counted once", () => {
  const container = { image: "example.org/a:1", ports: [{ containerPort: 80 }] };
  const workload = (name: string, env: object[] = []) => ({
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name } },
    spec: {
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { name } }, spec: { containers: [{ name, env, ...container }] } },
    },
  });
  const service = (name: string) => ({
    ...{ apiVersion: "v1", kind: "Service", metadata: { name } },
    spec: { selector: { name }, ports: [{ port: 80 }] },
  });
  const env = ["orders", "silent"].map((to) => ({ name: `${to.toUpperCase()}_ADDR`, value: `${to}:80` }));
  const names = ["web", "catalog", "orders", "silent"];
  const objects = [
    ...names.map(service),
    ...names.map((name) => workload(name, name === "catalog" ? env : [])),
  ];
  const usage = (cpuCores: number) => ({ cpuCores, memoryBytes: 2 ** 26, requestsPerSecond: 20 });
  const { model } = importEnvironment({
    ...{ name: "a", source: "a test" },
    texts: [{ name: "a.yaml", text: objects.map((one) => JSON.stringify(one)).join("\n---\n") }],
    observed: {
      edges: [
        { from: "web", to: "catalog", perRequest: 1 },
        { from: "web", to: "orders", perRequest: 0.5 },
      ],
      served: new Map([...["web", "catalog"].map((name): [string, number] => [name, 300]), ["orders", 150]]),
      usage: new Map([
        ["web/web", usage(0.5)],
        ["catalog/catalog", usage(0.011)],
      ]),
    },
  });
  const programs = (name: string) => model.workloads.find((one) => one.name === name)?.programs.get(name);
  const calls = model.workloads.find(({ name }) => name === "catalog")?.calls ?? [];
  const refuted = calls.find(({ call }) => call.to === "orders");
  expect(refuted).toMatchObject({ call: { perRequest: 0, required: false } });
  expect(refuted?.why).toContain("none of 300 traced requests of catalog makes it");
  // Nothing that it serves is in traces: that no call to it is says nothing.
  expect(calls.find(({ call }) => call.to === "silent")?.call.perRequest).toBe(1);
  const web = programs("web");
  const each = web?.cpuMillisPerRequest?.value ?? 0;
  expect(each).toBeGreaterThan(0);
  expect(web?.idleCpuMillicores?.value).toBe(Math.round(500 - 20 * each));
  expect(programs("catalog")).toMatchObject({
    idleCpuMillicores: { value: 1 },
    cpuMillisPerRequest: { value: 0.5 },
  });
});
