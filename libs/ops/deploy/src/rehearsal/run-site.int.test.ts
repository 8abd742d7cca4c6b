import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { createMachine } from "./machine/machine.ts";
import { createSite, type Site } from "./run-site.ts";

// Networks, bounds and commands in containers take root; without it pods run on the loopback.
const isRoot = process.getuid?.() === 0;
const python = (source: string): string[] => ["/usr/bin/python3", "-c", source];

/** A server that answers at its pod's port 8000 until it is asked for /hang, and then never again. */
const serve = python(`
import http.server, os, time
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/hang" or os.path.exists("/tmp/hung"):
            open("/tmp/hung", "w").close()
            time.sleep(60)
        self.send_response(200); self.end_headers()
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer((os.environ["HOST"], 8000), Handler).serve_forever()`);

const pod = (
  name: string,
  command: readonly string[],
  container: object = {},
  spec: object = {},
): KubeObject =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "test" },
    spec: {
      template: {
        metadata: { labels: { app: name } },
        spec: {
          securityContext: { runAsUser: 10_001, runAsGroup: 10_001 },
          containers: [
            {
              name: "main",
              image: "debian:12",
              command,
              env: [{ name: "HOST", value: "0.0.0.0" }],
              ports: [{ name: "http", containerPort: 8000 }],
              volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
              resources: { limits: { memory: "64Mi" } },
              ...container,
            },
          ],
          volumes: [{ name: "tmp", emptyDir: {} }],
          ...spec,
        },
      },
    },
  }) as unknown as KubeObject;
const service = (name: string): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "test" },
    spec: { selector: { app: name } },
  }) as unknown as KubeObject;
const allow = (name: string, spec: object): KubeObject =>
  ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace: "test" },
    spec,
  }) as unknown as KubeObject;

async function startSite(stack: AsyncDisposableStack, objects: KubeObject[]): Promise<Site> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-site-"));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const machine = stack.use(await createMachine());
  const site = stack.use(createSite({ objects, dir, machine }));
  await site.start();
  return site;
}

const asks = python(`
import time, urllib.request
while True:
    try: urllib.request.urlopen("http://web:8000/", timeout=2).read()
    except Exception: pass
    time.sleep(0.2)`);
const web = pod("web", serve, { readinessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 1 } });

test.runIf(isRoot)(
  "a connection that no network policy allows is complained of, and one that is allowed is not",
  async () => {
    const deny = allow("deny", { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
    const out = allow("out", {
      podSelector: { matchLabels: { app: "client" } },
      policyTypes: ["Egress"],
      egress: [{ to: [{ podSelector: { matchLabels: { app: "web" } } }] }],
    });
    const into = allow("in", {
      podSelector: { matchLabels: { app: "web" } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: "client" } } }], ports: [{ port: "http" }] }],
    });
    for (const [policies, complaint] of [
      [[deny, out], /test\/client-\w+ -> test\/web-\w+:8000: no network policy lets it through the way into/],
      [[deny, out, into], undefined],
    ] as const) {
      await using stack = new AsyncDisposableStack();
      const site = await startSite(stack, [web, pod("client", asks), service("web"), ...policies]);
      await expect.poll(async () => (await site.findings()).connections).toBe(1);
      const { complaints } = await site.findings();
      if (complaint) expect(complaints.join()).toMatch(complaint);
      else expect(complaints).toEqual([]);
    }
  },
);

test.runIf(isRoot)("a port that listens on the pod's address alone is complained of", async () => {
  await using stack = new AsyncDisposableStack();
  const env = [{ name: "HOST", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }];
  const site = await startSite(stack, [web, pod("closed", serve, { env })]);
  await expect
    .poll(async () => (await site.findings()).complaints)
    .toEqual([
      expect.stringMatching(/^test\/closed-\w+ listens to port 8000 on [\d.]+ alone: a port-forward arrives/),
    ]);
});

test.runIf(isRoot)("a container gets no more memory than its limit, and its use is reported", async () => {
  await using stack = new AsyncDisposableStack();
  const hungry = pod(
    "hungry",
    python("import time; time.sleep(1); x = bytearray(200 * 2**20); time.sleep(60)"),
  );
  const modest = pod("modest", python("import time; x = bytearray(20 * 2**20); time.sleep(60)"));
  const site = await startSite(stack, [hungry, modest]);
  await expect
    .poll(async () => (await site.findings()).complaints)
    .toContainEqual(expect.stringMatching(/^hungry\/main: killed \d+ times by the OOM killer$/));
  const { memory } = await site.findings();
  const used = memory.find(({ container }) => container === "modest/main");
  expect(used?.limitBytes).toBe(64 * 2 ** 20);
  expect(used?.peakBytes).toBeGreaterThan(20 * 2 ** 20);
  expect(used?.kills).toBe(0);
});

test("a container that fails its liveness probe is started again, and what hears no SIGTERM is killed", async () => {
  await using stack = new AsyncDisposableStack();
  const probe = { httpGet: { path: "/", port: "http" }, periodSeconds: 1 };
  const deaf = python("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)");
  const site = await startSite(stack, [
    pod("web", serve, { readinessProbe: probe, livenessProbe: { ...probe, failureThreshold: 2 } }),
    pod("deaf", deaf, {}, { terminationGracePeriodSeconds: 2 }),
    service("web"),
  ]);
  expect((await site.findings()).complaints).toEqual([]);
  const [running] = site.podsOf("web");
  await fetch(`http://${site.addressOf("web")}:8000/hang`, { signal: AbortSignal.timeout(500) }).catch(
    () => 0,
  );
  await expect
    .poll(async () => (await site.findings()).complaints.join())
    .toMatch(/web-\w+: the liveness probe failed for good/);
  await expect.poll(() => running?.restarts).toBeGreaterThan(0);
  await site.scale("deaf", 0);
  expect((await site.findings()).complaints.join()).toMatch(
    /deaf-\w+: did not end within its grace period of 2 s/,
  );
});

test.runIf(isRoot)(
  "probes and hooks that are commands run in the container, with its user and variables",
  async () => {
    await using stack = new AsyncDisposableStack();
    const check = 'test "$(id -u)" = 10001 && test "$WORD" = yes && test -f /tmp/started';
    // After the hook it ends at SIGTERM; otherwise it has to be killed.
    const worker = python(`
import os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: os.path.exists("/tmp/stopping") and sys.exit())
time.sleep(1); open("/tmp/started", "w").close(); time.sleep(600)`);
    const site = await startSite(stack, [
      pod(
        "worker",
        worker,
        {
          env: [{ name: "WORD", value: "yes" }],
          startupProbe: { exec: { command: ["sh", "-c", check] }, periodSeconds: 1, failureThreshold: 20 },
          lifecycle: { preStop: { exec: { command: ["sh", "-c", "sleep 1; echo > /tmp/stopping"] } } },
        },
        { terminationGracePeriodSeconds: 4 },
      ),
    ]);
    await site.scale("worker", 0);
    expect((await site.findings()).complaints).toEqual([]);
  },
);
