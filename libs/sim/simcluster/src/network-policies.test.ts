import { isReady } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { arena, deployedWorld, podsOf, successOf } from "./testing/deployed-world.ts";
import type { World } from "./world.ts";

function policy(world: World, app: string, spec: object): void {
  world.apply({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: app, namespace: arena },
    spec: { podSelector: { matchLabels: { app } }, ...spec },
  });
  world.loop.advance(3000);
}

function connects(world: World, from: string, host: string, port: number): boolean {
  const pod = world.machine.byPod(arena, podsOf(world, from)[0]?.metadata.name ?? "");
  if (!pod) throw new Error(`no pod of ${from}`);
  return world.network.tcpConnect(pod, host, port, 1000).ok;
}

test("cuts callers off that no policy lets in, but not the kubelet's probes", () => {
  using world = deployedWorld("online-boutique");
  expect(successOf(world, "frontend", "cartservice")).toBeGreaterThan(0.99);
  policy(world, "cartservice", { policyTypes: ["Ingress"] });
  expect(successOf(world, "frontend", "cartservice")).toBe(0);
  expect(connects(world, "frontend", "cartservice", 7070)).toBe(false);
  world.loop.advance(60_000);
  expect(podsOf(world, "cartservice").every(isReady)).toBe(true);
  policy(world, "cartservice", {
    policyTypes: ["Ingress"],
    ingress: [{ from: [{ podSelector: { matchLabels: { app: "frontend" } } }], ports: [{ port: 7070 }] }],
  });
  expect(successOf(world, "frontend", "cartservice")).toBeGreaterThan(0.99);
  expect(successOf(world, "checkoutservice", "cartservice")).toBe(0);
});

test("takes a pod that may send nowhere its name server too", () => {
  using world = deployedWorld("online-boutique");
  policy(world, "frontend", { policyTypes: ["Egress"], egress: [{ to: [{ podSelector: {} }] }] });
  expect(successOf(world, "frontend", "cartservice")).toBe(0);
  policy(world, "frontend", {
    policyTypes: ["Egress"],
    egress: [
      { to: [{ podSelector: {} }] },
      {
        to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } }],
        ports: [{ port: 53, protocol: "UDP" }],
      },
    ],
  });
  expect(successOf(world, "frontend", "cartservice")).toBeGreaterThan(0.99);
  expect(connects(world, "frontend", "8.8.8.8", 443)).toBe(false);
});
