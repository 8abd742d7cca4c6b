import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

interface Forwarder extends AsyncDisposable {
  readonly port: number;
  errors(): string;
}

const box = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "box" },
  spec: { containers: [{ name: "main", image: "nginx:1.27" }] },
};

async function withPod(): Promise<TestApi> {
  const cluster = await startTestApi();
  expect(await cluster.run("kubectl", ["create", "-f", "-"], JSON.stringify(box))).toMatchObject({ code: 0 });
  return cluster;
}

/** `kubectl port-forward` on a free local port, once it listens. */
async function forward(cluster: TestApi, kubectl: string, remotePort: number): Promise<Forwarder> {
  const env = { PATH: process.env["PATH"], HOME: cluster.dir, KUBECONFIG: join(cluster.dir, "kubeconfig") };
  const child = spawn(kubectl, ["port-forward", "pod/box", `:${remotePort}`], { env });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const port = await new Promise<number>((resolve, reject) => {
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      const [, found] = /127\.0\.0\.1:(\d+) ->/.exec(stdout) ?? [];
      if (found) resolve(Number(found));
    });
    child.on("close", () => reject(new Error(`kubectl ended: ${stderr}`)));
  });
  return {
    port,
    errors: () => stderr,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => child.once("close", resolve));
      if (child.exitCode === null && child.kill()) await closed;
    },
  };
}

function echoed(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk;
      if (received.length >= text.length) socket.end();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

const sdk = "/usr/lib/google-cloud-sdk/bin";
const clients = ["kubectl", `${sdk}/kubectl.1.29`].filter((path) => path === "kubectl" || existsSync(path));

test.each(clients)("carries many connections at once and one after another for %s", async (client) => {
  await using cluster = await withPod();
  await using forwarded = await forward(cluster, client, 80);
  const large = "x".repeat(300_000);
  const texts = [large, "one", "two", "three"];
  expect(await Promise.all(texts.map((text) => echoed(forwarded.port, text)))).toEqual(texts);
  for (let round = 0; round < 20; round += 1) expect(await echoed(forwarded.port, "again")).toBe("again");
  expect(forwarded.errors()).toBe("");
});

test("gives kubectl the reason why a port cannot be reached", async () => {
  await using cluster = await withPod();
  await using forwarded = await forward(cluster, "kubectl", 81);
  expect(await echoed(forwarded.port, "x")).toBe("");
  await expect.poll(() => forwarded.errors()).toContain("connection refused");
});

const python = `
import socket, sys
from kubernetes import client, config
from kubernetes.stream import portforward
config.load_kube_config()
pf = portforward(client.CoreV1Api().connect_get_namespaced_pod_portforward, "box", "default", ports="80,81")
sock = pf.socket(80)
sock.settimeout(10)
sock.sendall(b"hello")
print(sock.recv(5).decode())
print(pf.error(81))
`;

test("speaks the channel protocol of the Python client", async () => {
  await using cluster = await withPod();
  const { stdout, stderr } = await cluster.run("/usr/bin/python3", ["-c", python]);
  expect(stdout + stderr).toBe("hello\nconnection refused\n");
});
