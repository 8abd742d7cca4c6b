import { AppError } from "@microremed/core";
import { expect, test } from "vitest";
import { loadEnvironment } from "./load-environment.ts";
import { loadYaml } from "./load-yaml.ts";

const files = {
  model: `
name: tiny
description: one workload
source: made up
x-idle: &idle { runtime: go, startupCpuSeconds: 0.1, idleCpuMillicores: 1, memoryMi: 10 }
targets: [web]
workloads:
  web:
    dataMount: /data
    containers: { web: { <<: *idle, listens: [8080], tools: [busybox] } }
    calls: [{ to: web, address: "web:80", protocol: http, perRequest: 0, timeoutSeconds: 1 }]
`,
  workload: `
entry: web:80
requestsPerSecond: 1
`,
  manifests: `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { tier: front }, ports: [{ port: 80, targetPort: http }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { tier: front } }
  template:
    metadata: { labels: { tier: front, team: a } }
    spec:
      containers:
        - name: web
          image: web:1
          ports: [{ name: http, containerPort: 8080 }]
          resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { cpu: 200m, memory: 128Mi } }
          volumeMounts: [{ name: data, mountPath: /data }]
          readinessProbe: { httpGet: { port: http } }
      volumes: [{ name: data, emptyDir: {} }]
`,
};

type Change = Partial<typeof files>;

const load = (change: Change = {}, recorded = "") => {
  const { model, workload, manifests } = { ...files, ...change };
  return loadEnvironment({
    folder: "tiny",
    model: { name: "model.yaml", text: model },
    workload: { name: "workload.yaml", text: workload },
    manifests: [{ name: "manifests/all.yaml", text: manifests }],
    recorded: [{ name: "day.csv", text: recorded }],
  });
};

function messageOf(change: Change): string {
  try {
    load(change);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid-environment") return error.message;
    throw error;
  }
  return "";
}

test("reads manifests with their model, merges anchors and fills in Kubernetes' defaults", () => {
  const environment = load();
  const web = environment.workloads["web"];
  expect(web).toMatchObject({
    kind: "Deployment",
    replicas: 1,
    selector: { tier: "front" },
    labels: { tier: "front", team: "a" },
    terminationGracePeriodSeconds: 30,
    volumes: { data: { type: "emptyDir" } },
  });
  expect(web?.containers[0]).toMatchObject({
    behaviour: { runtime: "go", listens: [8080], concurrency: 64 },
    readinessProbe: { type: "http", port: 8080, path: "/", periodSeconds: 10, failureThreshold: 3 },
    volumeMounts: { "/data": "data" },
  });
  expect(environment).toMatchObject({ namespace: "tiny", dataMounts: { web: "/data" } });
});

test("without a model a program is what its image, its command, its ports and its probes imply", () => {
  const model = "{ name: tiny, description: d, source: s }";
  const behaviourOf = (image: string, command = "[]") => {
    const manifests = files.manifests.replace(
      "image: web:1",
      `image: ${image}\n          command: ${command}`,
    );
    return load({ model, manifests }).workloads["web"]?.containers[0]?.behaviour;
  };
  expect(behaviourOf("team/unknown:1")).toMatchObject({ runtime: "go", listens: [8080] });
  expect(behaviourOf("openjdk:8-jre")).toMatchObject({ runtime: "java" });
  expect(behaviourOf("team/unknown:1", "[python, app.py]")).toMatchObject({ runtime: "python" });
  expect(behaviourOf("nats:2.10-alpine")).toMatchObject({ runtime: "nats" });
  expect(behaviourOf("redis:7-alpine")).toMatchObject({ runtime: "redis", tools: ["busybox", "redis-cli"] });
  expect(behaviourOf("gcr.io/distroless/static")).toMatchObject({ shell: "none" });
});

test("takes Lists apart, reads YAML as Kubernetes' clients do, and puts what makes pods last", () => {
  const manifests = `${files.manifests}---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { mode: "0644" }, immutable: yes }
  - { apiVersion: v1, kind: Namespace, metadata: { name: tiny } }
  - { apiVersion: v1, kind: Pod, metadata: { name: one }, spec: { volumes: [{ configMap: { defaultMode: 0644 } }] } }
  - { apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: a.b.c } }
`;
  const environment = load({ manifests });
  expect(environment.manifests.map(({ kind }) => kind)).toEqual([
    "CustomResourceDefinition",
    "Service",
    "ConfigMap",
    "Deployment",
    "Pod",
  ]);
  const [settings, pod] = ["ConfigMap", "Pod"].map((kind) =>
    environment.manifests.find((one) => one.kind === kind),
  );
  expect(settings?.["immutable"]).toBe(true);
  expect(pod?.["spec"]).toEqual({ volumes: [{ configMap: { defaultMode: 420 } }] });
});

test("a recorded load is read from its file; further loads have names, and the rate of a closed loop follows", () => {
  const workload = `
entry: web:80
replay: { file: day.csv }
loads:
  visits: { users: 10, thinkSeconds: [1, 3], journeys: [{ name: a, steps: [{ path: /a }, { path: /b }] }] }
`;
  const { load: own } = load({ workload }, "at,rate\n0,2\n10,4\n");
  expect(own).toMatchObject({ requestsPerSecond: 3, loads: { visits: { users: 10, requestsPerSecond: 5 } } });
});

const inModel = (from: string, to: string): Change => ({ model: files.model.replace(from, to) });
const inWorkload = (from: string, to: string): Change => ({ workload: files.workload.replace(from, to) });
const inManifests = (from: string, to: string): Change => ({ manifests: files.manifests.replace(from, to) });

test.each<[Change, string]>([
  [
    inWorkload(
      "requestsPerSecond: 1",
      "requestsPerSecond: 500\njourneys: [{ name: a, steps: [{ path: /, thinkSeconds: 10 }] }]",
    ),
    "workload.yaml, requestsPerSecond: expected at most 100 with these journeys",
  ],
  [
    inModel("perRequest: 0", 'onPaths: ["/?a=1"], perRequest: 0'),
    '"/?a=1" has a query, on which no call depends; write "/"',
  ],
  [inModel("tools: [busybox]", "tools: [dd]"), "workloads.web.dataMount: writes there are measured inside"],
  [{ workload: "{ entry: web:80, replay: { file: night.csv } }" }, "there is no file night.csv beside it"],
  [
    { workload: "{ entry: web:80, users: 2, thinkSeconds: 0 }" },
    "thinkSeconds: expected 0.1 s at least in a closed loop",
  ],
])("%# what does not go together is named", (change, expected) => {
  expect(messageOf(change)).toContain(expected);
});

test("what may be missing, and what a controller may make, is not missed", () => {
  expect(messageOf(inManifests("emptyDir: {}", "configMap: { name: none, optional: true }"))).toBe("");
  const custom = "\n---\n{ apiVersion: db.example.org/v1, kind: Cluster, metadata: { name: db } }";
  const { manifests = "" } = inManifests("emptyDir: {}", "secret: { secretName: db-password }");
  expect(messageOf({ manifests })).toContain("there is no Secret db-password");
  expect(messageOf({ manifests: manifests + custom })).toBe("");
});

const calling = (perRequest: number) => inModel("perRequest: 0", `perRequest: ${perRequest}`);

test("a loop of calls may be gone through again by a share of the requests, and not by all", () => {
  expect(messageOf(calling(0.9))).toBe("");
  expect(messageOf(calling(1))).toContain(
    "workloads.web.calls: web calls web, and each request leads to another",
  );
});

const migrate = `
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: migrate }
spec:
  jobTemplate:
    spec: { template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: up, image: "up:1" }, { name: log, image: "log:1" }] } } }
`;
const withJob = (job: string, manifests = migrate) => ({
  model: `${files.model}jobs:\n  migrate: ${job}\n`,
  manifests: files.manifests + manifests,
});
const callOfJob = (keys: string) =>
  withJob(
    `{ containers: { up: *idle }, calls: [{ to: web, address: "web:80", protocol: http, timeoutSeconds: 1, ${keys} }] }`,
  );

test("a Job's containers end, and those that the model does not name are left out", () => {
  const { jobs } = load(
    withJob('{ containers: { up: { <<: *idle, ends: { exitCode: 2, says: ["done"] } } } }'),
  );
  expect(jobs["migrate"]).toMatchObject({
    kind: "CronJob",
    labels: { a: "b" },
    containers: [{ name: "up", behaviour: { ends: { afterSeconds: 0, exitCode: 2, says: ["done"] } } }],
  });
  expect(jobs["migrate"]?.containers).toHaveLength(1);
  expect(load(callOfJob("perRequest: 3")).jobs["migrate"]?.containers[0]?.behaviour.ends?.exitCode).toBe(0);
});

test.each([
  ["no such Job", withJob("{}", ""), "jobs.migrate: the manifests have no Job or CronJob of this name"],
  [
    "no such container",
    withJob("{ containers: { x: *idle } }"),
    "containers.x: expected a container of its pods: up, log",
  ],
  [
    "calls of an unknown program",
    {
      ...callOfJob("perRequest: 1"),
      ...withJob(
        '{ calls: [{ to: web, address: "web:80", protocol: http, timeoutSeconds: 1, perRequest: 1 }] }',
      ),
    },
    "add containers.up, or leave calls out",
  ],
  [
    "half a call",
    callOfJob("perRequest: 0.5"),
    "calls[0].perRequest: expected how often a run makes it, a whole number; it is 0.5",
  ],
  [
    "too many calls",
    {
      ...callOfJob("perRequest: 999"),
      ...withJob(
        `{ containers: { up: *idle }, calls: [${Array(2).fill('{ to: web, address: "web:80", protocol: http, timeoutSeconds: 1, perRequest: 600 }').join(", ")}] }`,
      ),
    },
    "at most 1000 are made; lower perRequest",
  ],
  [
    "keys of servers",
    callOfJob("perRequest: 1, atStart: true"),
    "calls[0].atStart: a Job serves no requests",
  ],
  [
    "a topic of a workload that is no Kafka",
    callOfJob("perRequest: 1, topic: orders"),
    'calls[0].topic: no container of "web" has the runtime kafka',
  ],
  [
    "an exit code",
    withJob("{ containers: { up: { <<: *idle, ends: { exitCode: 256 } } } }"),
    "jobs.migrate.containers.up.ends.exitCode: expected",
  ],
])("%s in the model of a Job is named", (_, change, expected) => {
  const message = messageOf(change);
  expect(message).toContain(expected);
  expect(message.match(/^ {2}- /gm)).toHaveLength(1);
});

test("a hundred problems are named, the first twenty of them", () => {
  const some = Array.from({ length: 100 }, (_, i) => `t${i}`).join(", ");
  const message = messageOf(inModel("targets: [web]", `targets: [${some}]`));
  expect(message.match(/^ {2}- /gm)).toHaveLength(21);
  expect(message).toContain("... and 80 more");
});

test("aliases that blow up, and files without end, are refused", () => {
  const bomb = Array.from(
    { length: 9 },
    (_, i) => `x-${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1},`.repeat(9)}]`,
  );
  expect(messageOf({ model: bomb.join("\n") })).toMatch(/more than 400000 values|not YAML/);
  expect(messageOf({ manifests: `# ${"x".repeat(4_000_001)}` })).toContain("at most 4000000 are read");
});

test.each([
  ["zeros", "a: 1\nb: \u0000\u0001"],
  ["commands of a terminal", "a: 1\n\u001b[31m: {"],
  ["bytes that are no UTF-8", Buffer.from("a: 1\n\xff: {", "latin1").toString("utf8")],
])("a text with %s is named by its line, and not quoted", (_, text) => {
  expect(loadYaml({ name: "a", text })).toEqual({
    problem: "line 2 is no text in UTF-8; expected YAML or JSON",
  });
});
