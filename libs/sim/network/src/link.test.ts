import type { Netem, PodSandbox } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { linkBetween } from "./link.ts";

const netem = (change: Partial<Netem>): Netem => ({
  ...{ owner: "test", delayMs: 0, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 },
  ...change,
});
const pod = (ip: string, change: Partial<PodSandbox> = {}): PodSandbox => ({
  ...{ namespace: "n", name: ip, uid: ip, ip, hostname: ip, hostNetwork: false },
  ...{ nodeName: "node", labels: {} },
  ...{ containers: new Map(), volumes: new Map(), netem: [], drops: [] },
  ...change,
});

test("netem acts on what leaves: the delayed pod's requests, and its replies to others", () => {
  const slow = pod("10.0.0.1", { netem: [netem({ delayMs: 1000 })] });
  const other = pod("10.0.0.2");
  expect(linkBetween(slow, other, other.ip)).toMatchObject({
    request: { delayMs: 1000.15 },
    reply: { delayMs: 0.15 },
  });
  expect(linkBetween(other, slow, slow.ip)).toMatchObject({
    request: { delayMs: 0.15 },
    reply: { delayMs: 1000.15 },
  });
  expect(linkBetween("node", slow, slow.ip).reply.delayMs).toBe(1000.15);
  expect(linkBetween(slow, slow, slow.ip).request.delayMs).toBeLessThan(0.1);
});

test("a filter by pod IP does not see traffic dialled to a cluster IP, but sees the replies", () => {
  const server = pod("10.0.0.2");
  const client = pod("10.0.0.1", { netem: [netem({ loss: 0.5, toPodIps: ["10.0.0.2"] })] });
  expect(linkBetween(client, server, "172.20.0.9").request.loss).toBe(0);
  expect(linkBetween(client, server, server.ip).request.loss).toBe(0.5);
  const filtered = pod("10.0.0.2", { netem: [netem({ loss: 0.5, toPodIps: ["10.0.0.0/24"] })] });
  expect(linkBetween(client, filtered, "172.20.0.9").reply.loss).toBe(0.5);
});

test("a partition drops by direction and peer; corruption counts as loss", () => {
  const cut = pod("10.0.0.1", { drops: [{ owner: "t", direction: "in", peerPodIps: ["10.0.0.2"] }] });
  expect(linkBetween(pod("10.0.0.2"), cut, cut.ip).request.loss).toBe(1);
  expect(linkBetween(pod("10.0.0.3"), cut, cut.ip).request.loss).toBe(0);
  expect(linkBetween("node", cut, cut.ip).request.loss).toBe(0);
  const noisy = pod("10.0.0.4", { netem: [netem({ loss: 0.5, corrupt: 0.5 })] });
  expect(linkBetween(noisy, cut, cut.ip).request.loss).toBe(0.75);
});
