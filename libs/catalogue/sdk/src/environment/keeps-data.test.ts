import { expect, test } from "vitest";
import type { Environment } from "./environment.types.ts";
import { keepsData, mayKeepData } from "./keeps-data.ts";

type Workloads = Environment["workloads"];
const shop = (image: string, store: object = {}, protocol = "http"): Pick<Environment, "workloads"> => {
  const common = { kind: "Deployment", volumes: {}, containers: [{ image }] };
  const web = { ...common, containers: [{ image: "shop/web:1" }], calls: [{ to: "store", protocol }] };
  return { workloads: { store: { ...common, calls: [], ...store }, web } as unknown as Workloads };
};

test.each([
  ["a store by its image, called over http", shop("docker.elastic.co/elasticsearch/elasticsearch:8.1"), true],
  ["a store by its image, with a digest", shop("quay.io/minio/minio@sha256:00"), true],
  ["one of a registry with a port", shop("registry:5000/team/postgres:16"), true],
  ["a program whose name only begins like a store's", shop("team/redis-exporter:1"), false],
  ["a program in a store's project", shop("nats/prober:1"), false],
  ["a store that says that it keeps nothing", shop("memcached:1", { keepsData: false }), false],
  ["an unknown image that says that it keeps data", shop("team/ledger:1", { keepsData: true }), true],
  ["an unknown image with a claim", shop("team/ledger:1", { volumes: { data: { type: "claim" } } }), true],
  ["an unknown image in a StatefulSet", shop("team/ledger:1", { kind: "StatefulSet" }), true],
  ["an unknown image that is called as a store", shop("team/ledger:1", {}, "redis"), true],
  ["an unknown image called over http", shop("team/ledger:1"), false],
] as const)("%s", (_, environment, keeps) => {
  expect(keepsData(environment, "store")).toBe(keeps);
  expect(keepsData(environment, "web")).toBe(false);
});

test("what others call, calls no one and is not known may keep data, until its author says whether", () => {
  expect(mayKeepData(shop("team/ledger:1"))).toEqual(["store"]);
  expect(mayKeepData(shop("team/ledger:1", { keepsData: false }))).toEqual([]);
  expect(mayKeepData(shop("redis:7"))).toEqual([]);
});
