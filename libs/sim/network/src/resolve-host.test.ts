import { kubeletHosts, lookupDelayMs, type PodSandbox, readHosts, resolverOf } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { resolveHost } from "./resolve-host.ts";
import type { ServiceDirectory } from "./service-directory.ts";

const directory = {
  hasNameServer: true,
  byName: (namespace: string, name: string) =>
    namespace === "shop" && name === "cart" ? { clusterIp: "172.20.0.9", ports: [] } : undefined,
} as unknown as ServiceDirectory;
const pod = { namespace: "shop", name: "web-1-x7k2p", hostname: "web-1", ip: "10.244.1.7" } as PodSandbox;

test("a name in a pod's hosts file leads to its address, whatever DNS says", () => {
  const from = { ...pod, hosts: readHosts("127.0.0.1\tcart other # shop\n#10.0.0.1 web\n10.0.0.2 cart\n") };
  expect(resolveHost(directory, from, "cart")).toEqual(["127.0.0.1"]);
  expect(resolveHost(directory, from, "cart.shop")).toEqual(["172.20.0.9"]);
  expect(resolveHost(directory, from, "web")).toEqual([]);
  const unserved = { ...directory, hasNameServer: false };
  expect(["cart", "cart.shop"].map((name) => resolveHost(unserved, from, name))).toEqual([["127.0.0.1"], []]);
});

test("the kubelet's hosts file has the names of the pod's host and its aliases", () => {
  const of = { ...pod, domain: "web.shop.svc.cluster.local" };
  const from = { ...pod, hosts: kubeletHosts(of, [{ ip: "10.0.0.9", hostnames: ["a", "b"] }]) };
  const names = ["web-1", "web-1.web.shop.svc.cluster.local", "a", "b", "cart"];
  expect(names.map((name) => resolveHost(directory, from, name))).toEqual([
    ["10.244.1.7"],
    ["10.244.1.7"],
    ["10.0.0.9"],
    ["10.0.0.9"],
    ["172.20.0.9"],
  ]);
});

test("a pod whose resolver asks another server than the cluster's finds no Service", () => {
  const names = ["cart", "cart.shop", "cart.shop.svc.cluster.local", "cart.shop.svc.cluster.local."];
  const found = (spec: Parameters<typeof resolverOf>[1]) => {
    const from = { ...pod, resolver: resolverOf("shop", spec) };
    return names.filter((name) => resolveHost(directory, from, name).length > 0);
  };
  expect(found({})).toEqual(names);
  expect(found({ dnsPolicy: "Default" })).toEqual([]);
  expect(found({ dnsPolicy: "None", dnsConfig: { nameservers: ["8.8.8.8"] } })).toEqual([]);
  expect(found({ dnsConfig: { nameservers: ["8.8.8.8"] } })).toEqual(names);
  // Without search domains only whole names are found.
  expect(found({ dnsPolicy: "None", dnsConfig: { nameservers: ["10.96.0.10"] } })).toEqual(names.slice(2));
});

test("a look-up waits for each name server that does not answer, then asks the next", () => {
  const waits = (nameservers: string[], options: { name: string; value?: string }[] = []) => {
    const resolver = resolverOf("shop", {
      dnsPolicy: "None",
      dnsConfig: { nameservers, options, searches: ["shop.svc.cluster.local"] },
    });
    const from = { ...pod, resolver, hosts: readHosts("10.0.0.9 known\n") };
    return {
      found: resolveHost(directory, from, "cart").length > 0,
      ms: lookupDelayMs(from, "cart"),
      ofKnown: lookupDelayMs(from, "known"),
    };
  };
  const timeout = (value: string) => [{ name: "timeout", value }];
  expect(waits(["10.96.0.2", "10.96.0.10"])).toEqual({ found: true, ms: 5000, ofKnown: 0 });
  expect(waits(["10.96.0.2", "10.96.0.3", "10.96.0.10"], timeout("2")).ms).toBe(4000);
  expect(waits(["10.96.0.2", "10.96.0.10"], timeout("900")).ms).toBe(30_000);
  expect(waits(["10.96.0.10", "10.96.0.2"])).toMatchObject({ found: true, ms: 0 });
  expect(waits(["10.96.0.2", "8.8.8.8", "10.96.0.10"])).toMatchObject({ found: false, ms: 5000 });
  expect(lookupDelayMs(pod, "cart")).toBe(0);
});
