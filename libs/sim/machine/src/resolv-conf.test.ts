import { expect, test } from "vitest";
import type { PodSandbox } from "./machine.ts";
import { type DnsSpec, resolvConf, resolverOf } from "./resolv-conf.ts";

const fileOf = (spec: DnsSpec) =>
  resolvConf({ namespace: "shop", resolver: resolverOf("shop", spec) } as PodSandbox).split("\n");

const ofCluster = [
  "search shop.svc.cluster.local svc.cluster.local cluster.local",
  "nameserver 10.96.0.10",
  "options ndots:5",
];

test("a pod asks the cluster's name server by default", () => {
  expect(fileOf({})).toEqual(ofCluster);
  expect(fileOf({ dnsPolicy: "ClusterFirst" })).toEqual(ofCluster);
  expect(resolvConf({ namespace: "shop" } as PodSandbox).split("\n")).toEqual(ofCluster);
});

test("in its node's network it asks as the node does, unless its policy says otherwise", () => {
  expect(fileOf({ dnsPolicy: "Default" })).toEqual(["nameserver 1.1.1.1"]);
  expect(fileOf({ hostNetwork: true })).toEqual(["nameserver 1.1.1.1"]);
  expect(fileOf({ hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" })).toEqual(ofCluster);
});

test("dnsConfig adds to the policy's, and replaces options of the same name", () => {
  const dnsConfig = {
    nameservers: ["8.8.8.8", "10.96.0.10"],
    searches: ["example.org"],
    options: [{ name: "ndots", value: "2" }, { name: "edns0" }],
  };
  expect(fileOf({ dnsPolicy: "None", dnsConfig })).toEqual([
    "search example.org",
    "nameserver 8.8.8.8",
    "nameserver 10.96.0.10",
    "options ndots:2 edns0",
  ]);
  expect(fileOf({ dnsConfig })).toEqual([
    "search shop.svc.cluster.local svc.cluster.local cluster.local example.org",
    "nameserver 10.96.0.10",
    "nameserver 8.8.8.8",
    "options ndots:2 edns0",
  ]);
});
