import type { KubeObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { hostNameOf, nameTooLong } from "./host-name.ts";

const hostOf = (name: string, spec: object = {}) =>
  hostNameOf({ metadata: { namespace: "shop", name }, spec } as unknown as KubeObject, "node-1");

test("a pod's host has the pod's name, unless its spec has another one for it", () => {
  expect(hostOf("web-x7k2p")).toEqual({ hostname: "web-x7k2p" });
  expect(hostOf("web-0-x7k2p", { hostname: "web-0" })).toEqual({ hostname: "web-0" });
  expect(hostOf("web", { hostname: "" })).toEqual({ hostname: "web" });
  expect(hostOf("web", { hostname: "other", hostNetwork: true })).toEqual({ hostname: "node-1" });
});

test("a subdomain is one of the pod's namespace", () => {
  expect(hostOf("db-0", { hostname: "db-0", subdomain: "db" })).toEqual({
    hostname: "db-0",
    domain: "db.shop.svc.cluster.local",
  });
});

test("a host's name has at most 63 characters and ends with a letter or digit", () => {
  expect(hostOf(`${"a".repeat(62)}-b`)).toEqual({ hostname: "a".repeat(62) });
});

test("the whole name is the host's where the spec says so, as far as Linux takes it", () => {
  const spec = { subdomain: "db", setHostnameAsFQDN: true };
  const { hostname } = hostOf("db-0", spec);
  expect(hostname).toBe("db-0.db.shop.svc.cluster.local");
  expect(hostOf("db-0", { setHostnameAsFQDN: true })).toEqual({ hostname: "db-0" });
  expect(nameTooLong(hostname)).toBeUndefined();
  const letters = 64 - ".db.shop.svc.cluster.local".length;
  expect(nameTooLong(hostOf("a".repeat(letters), spec).hostname)).toBeUndefined();
  expect(nameTooLong(hostOf("a".repeat(letters + 1), spec).hostname)).toMatch(
    /is too long \(64 characters is the max, 65 characters requested\)$/,
  );
});
