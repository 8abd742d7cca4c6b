import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { refusedByCluster } from "./refused-by-cluster.ts";

const deployment = (label: string, memory: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: label } },
      spec: { containers: [{ name: "web", image: "web:1", resources: { limits: { memory } } }] },
    },
  },
});
const service = (port: unknown) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web" },
  spec: { selector: { app: "web" }, ports: [{ port }] },
});

test.each([
  [deployment("other", "1Gi"), "Deployment web: a cluster refuses it: .*`selector` does not match template"],
  [deployment("web", "lots"), "Deployment web: a cluster refuses it: .*quantit"],
  [service(800_000), "Service web: a cluster refuses it: .*between 1 and 65535"],
  [{ ...service(80), spec: { ports: [null] } }, "Service web: a cluster refuses it: "],
  [service("http"), "Service web: a cluster refuses it: .*cannot unmarshal string"],
])("%j is refused as %s", (manifest, why) => {
  expect(refusedByCluster([manifest], "shop")).toEqual([expect.stringMatching(why)]);
});

test("what a cluster takes is not refused", () => {
  expect(refusedByCluster([deployment("web", "1Gi"), service(80)], "shop")).toEqual([]);
  expect(refusedByCluster([{ ...service(0), apiVersion: "acme.io/v1" }], "shop")).toEqual([]);
  for (const name of environments.names())
    expect(refusedByCluster(environments.get(name).manifests, "shop"), name).toEqual([]);
});
