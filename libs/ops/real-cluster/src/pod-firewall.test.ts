import type { KubeObject, Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import { cidrsWithout } from "./cidrs-without.ts";
import { firewallOf } from "./pod-firewall.ts";

function pod(name: string, namespace: string, podIP: string, more: object = {}): Pod {
  const ports = [{ name: "http", containerPort: 8080 }];
  return {
    metadata: { name, namespace, labels: { app: name } },
    spec: { containers: [{ name: "main", ports }], ...more },
    status: { podIP, phase: "Running" },
  } as unknown as Pod;
}
const policy = (name: string, namespace: string, spec: object): KubeObject => ({
  metadata: { name, namespace },
  spec,
});
const namespaces: KubeObject[] = [
  { metadata: { name: "shop", labels: { team: "a" } } },
  { metadata: { name: "other", labels: { team: "b" } } },
];
const pods = [
  pod("web", "shop", "10.0.0.1"),
  pod("db", "shop", "10.0.0.2"),
  pod("client", "other", "10.0.0.3"),
  pod("node", "other", "10.0.0.9", { hostNetwork: true }),
];
const rulesOf = (policies: KubeObject[]): string[] => firewallOf({ pods, namespaces, policies }).split("\n");

test("no policy, no pod's chain", () => {
  expect(rulesOf([])).toEqual([
    "*filter",
    ":PODS-FORWARD - [0:0]",
    ":PODS-INPUT - [0:0]",
    "-A PODS-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN",
    "-A PODS-INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN",
    "COMMIT",
    "",
  ]);
});

test("a pod that all is denied to reaches only itself, its node included", () => {
  const rules = rulesOf([
    policy("deny", "shop", { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Egress"] }),
  ]);
  expect(rules).toContain("-A PODS-FORWARD -s 10.0.0.1 -j POD-0");
  expect(rules).toContain("-A PODS-INPUT -s 10.0.0.1 -j POD-0");
  expect(rules.filter((rule) => rule.startsWith("-A POD-0"))).toEqual([
    "-A POD-0 -d 10.0.0.1 -j RETURN",
    "-A POD-0 -j DROP",
  ]);
});

test("peers, ranges and names of ports; policies add up", () => {
  const ingress = [
    { from: [{ namespaceSelector: { matchLabels: { team: "b" } } }], ports: [{ port: "http" }] },
    { from: [{ podSelector: { matchLabels: { app: "db" } } }], ports: [{ port: 53, protocol: "UDP" }] },
  ];
  const range = { ipBlock: { cidr: "10.1.0.0/16", except: ["10.1.0.0/17"] } };
  const rules = rulesOf([
    policy("in", "shop", { podSelector: { matchLabels: { app: "web" } }, ingress }),
    policy("more", "shop", {
      podSelector: {},
      policyTypes: ["Ingress"],
      ingress: [{ from: [range], ports: [{ port: 1, endPort: 9 }] }],
    }),
  ]);
  expect(rules.filter((rule) => rule.startsWith("-A POD-0"))).toEqual([
    "-A POD-0 -s 10.0.0.1 -j RETURN",
    "-A POD-0 -s 10.0.0.3 -p tcp --dport 8080:8080 -j RETURN",
    "-A POD-0 -s 10.0.0.2 -p udp --dport 53:53 -j RETURN",
    "-A POD-0 -s 10.1.128.0/17 -p tcp --dport 1:9 -j RETURN",
    "-A POD-0 -j DROP",
  ]);
  expect(rules.filter((rule) => rule.startsWith("-A POD-1"))).toHaveLength(3);
  expect(rules.filter((rule) => rule.startsWith("-A PODS-INPUT -"))).toHaveLength(1);
});

test("a range of IPv6 addresses allows nothing where there are none", () => {
  const to = [{ ipBlock: { cidr: "2001:db8::/32", except: ["2001:db8:1::/48"] } }];
  const rules = rulesOf([
    policy("six", "shop", {
      podSelector: { matchLabels: { app: "web" } },
      policyTypes: ["Egress"],
      egress: [{ to }],
    }),
  ]);
  expect(rules.filter((rule) => rule.startsWith("-A POD-0"))).toEqual([
    "-A POD-0 -d 10.0.0.1 -j RETURN",
    "-A POD-0 -j DROP",
  ]);
});

test("ranges without parts of them", () => {
  expect(cidrsWithout("10.0.0.0/8", [])).toEqual(["10.0.0.0/8"]);
  expect(cidrsWithout("10.0.0.0/30", ["10.0.0.1/32"])).toEqual(["10.0.0.0/32", "10.0.0.2/31"]);
  expect(cidrsWithout("0.0.0.0/0", ["0.0.0.0/1"])).toEqual(["128.0.0.0/1"]);
  expect(cidrsWithout("10.0.0.0/24", ["10.0.0.0/16"])).toEqual([]);
  expect(() => cidrsWithout("fd00::/8", [])).toThrow("no range of IPv4");
});
