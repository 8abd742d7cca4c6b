import { AppError } from "@microremed/core";
import { expect, test } from "vitest";
import { loadEnvironment } from "./load-environment.ts";

const sound = `
name: tiny
description: one workload
source: made up
namespace: tiny
x-idle: &idle { runtime: go, startupCpuSeconds: 0.1, idleCpuMillicores: 1, memoryMi: 10 }
targets: [web]
dataMounts: { web: /data }
workloads:
  web:
    kind: Deployment
    containers:
      - name: web
        image: web:1
        resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { cpu: 200m, memory: 128Mi } }
        volumeMounts: { /data: data }
        behaviour: { <<: *idle, listens: [8080], tools: [busybox] }
    volumes: { data: { type: emptyDir } }
    calls: [{ to: web, address: "web:80", protocol: http, perRequest: 0, timeoutSeconds: 1 }]
services:
  web: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
load: { entry: "web:80", requestsPerSecond: 1 }
`;

function messageOf(text: string): string {
  try {
    loadEnvironment(text, "tiny.yaml");
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid-environment") return error.message;
    throw error;
  }
  return "";
}

test("reads a sound file, merges anchors and fills in defaults", () => {
  const environment = loadEnvironment(sound, "tiny.yaml");
  const behaviour = environment.workloads["web"]?.containers[0]?.behaviour;
  expect(behaviour).toMatchObject({ runtime: "go", listens: [8080], concurrency: 64 });
});

test("a quantity may be a number, as in Kubernetes", () => {
  const { workloads } = loadEnvironment(sound.replace("cpu: 200m", "cpu: 1"), "tiny.yaml");
  expect(workloads["web"]?.containers[0]?.resources.limits.cpu).toBe("1");
});

test.each([
  ["name: tiny", "name: Tiny!", "name: "],
  ["description: one workload", "descripton: one workload", "descripton"],
  ["cpu: 200m", "cpu: [1]", "workloads.web.containers[0].resources.limits.cpu: expected a CPU quantity"],
  ["memory: 128Mi", "memory: 1", "resources.limits.memory: expected a memory quantity such as 64Mi"],
  ["cpu: 200m", "cpu: lots", "workloads.web.containers[0].resources.limits.cpu: expected a CPU quantity"],
  ["targets: [web]", "targets: [wob]", 'targets: "wob" is not a workload'],
  ["{ web: /data }", "{ wob: /data }", 'dataMounts.wob: "wob" is not a workload'],
  ["{ web: /data }", "{ web: /date }", 'dataMounts.web: its first container has nothing mounted at "/date"'],
  ["tools: [busybox]", "tools: [dd]", "dataMounts.web: writes there are measured inside its first container"],
  [
    "tools: [busybox]",
    "tools: [busybox], shell: none",
    "add what its image has, for example tools: [coreutils]",
  ],
  ["/data: data }", "/data: dota }", 'the workload has no volume "dota"'],
  ["cpu: 200m", "cpu: 50m", "CPU limit 50m is below the request 100m"],
  ["memory: 128Mi", "memory: 32Mi", "memory limit 32Mi is below the request 64Mi"],
  ["to: web", "to: wob", 'workloads.web.calls[0].to: "wob" is not a workload'],
  ['address: "web:80"', 'address: "web:81"', 'service "web" has no port 81'],
  ["entry: ", "from: wob, entry: ", 'load.from: "wob" is not a workload'],
  ["app: web }", "app: wob }", "services.web.selector: no workload's pods have these labels"],
  ["image: web:1", "image: web:1\n        envFrom: [{ secret: s }]", '"s" is not a secret'],
  [
    "image: web:1",
    "image: web:1\n        env: { A: { secretKeyRef: { name: s, key: k } } }",
    'no secret "s" has a key "k"',
  ],
  ["type: emptyDir", "type: configMap, name: c", '"c" is not a config map'],
  ["type: emptyDir", "type: claim, size: 1Gi", "a Deployment has no volume claims"],
])("says what is wrong when %s becomes %s", (from, to, expected) => {
  const message = messageOf(sound.replace(from, to));
  expect(message).toContain("tiny.yaml");
  expect(message).toContain(expected);
});

test("says so when the file is no YAML, no mapping, too long, or an alias bomb", () => {
  expect(messageOf("a: [")).toContain("not YAML");
  expect(messageOf("- 1")).toContain("the file: expected an object");
  expect(messageOf("")).toContain("tiny.yaml");
  expect(messageOf(`#${"x".repeat(1_000_000)}`)).toContain("at most 1000000");
  const levels = Array.from(
    { length: 9 },
    (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(",")}]`,
  );
  expect(messageOf(`l0: &l0 [x]\n${levels.join("\n")}`)).toContain("more than 200000 values");
});

test("lists every problem of a file, but not without end", () => {
  const message = messageOf(
    sound.replace("targets: [web]", `targets: [${Array(50).fill("nobody").join(", ")}]`),
  );
  expect(message).toContain("... and 30 more");
});

test("still reads the form of before, with one fault path and a list of its workloads", () => {
  const before = sound
    .replace("targets: [web]", "faultPath: /data\ntargets: { default: [web], some-fault: [web] }")
    .replace("dataMounts: { web: /data }\n", "");
  expect(loadEnvironment(before, "tiny.yaml")).toEqual(loadEnvironment(sound, "tiny.yaml"));
});
