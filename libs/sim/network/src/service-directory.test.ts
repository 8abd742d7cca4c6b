import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { backends, createServiceDirectory } from "./service-directory.ts";

/** The directory of one Service with these labels, and of slices that are said to be its. */
function directoryOf(labels: object, slices: readonly object[] = [], spec: object = {}) {
  const service = {
    metadata: { namespace: "shop", name: "cart", labels },
    spec: { clusterIP: "172.20.0.9", ports: [{ port: 80 }], ...spec },
  };
  const store = {
    watch: () => () => {},
    get: (of: unknown) => (of === resources.services ? service : undefined),
    list: (of: unknown) => (of === resources.services ? [service] : slices),
  };
  return createServiceDirectory(
    store as never,
    { keep: <T>(state: T) => state, every: () => () => {} } as never,
    {} as never,
  );
}

test.each([
  [{}, "172.20.0.9"],
  [{ app: "cart" }, "172.20.0.9"],
  [{ "service.kubernetes.io/service-proxy-name": "other" }, undefined],
  [{ "service.kubernetes.io/headless": "" }, undefined],
])(
  "of a Service with the labels %j kube-proxy serves the address %s; its name resolves",
  (labels, address) => {
    using directory = directoryOf(labels);
    expect(directory.byClusterIp("172.20.0.9")?.clusterIp).toBe(address);
    expect(directory.byName("shop", "cart")?.clusterIp).toBe("172.20.0.9");
  },
);

const slice = (service: string, endpoints: readonly object[], port = 8080) => ({
  metadata: { namespace: "shop", labels: { "kubernetes.io/service-name": service } },
  endpoints,
  ports: [{ name: "", port }],
});
const at = (ip: string, conditions?: object) => ({ addresses: [ip], ...(conditions && { conditions }) });

test("a Service leads to what is ready in all slices that name it, each address once", () => {
  using directory = directoryOf({}, [
    slice("cart", [at("10.0.0.1", { ready: true }), at("10.0.0.2", { ready: false }), at("10.0.0.3")]),
    slice("cart", [at("10.0.0.1"), at("10.0.0.4")]),
    slice("cart", [at("10.0.0.1")], 9),
    slice("other", [at("10.0.0.5")]),
  ]);
  const found = directory.byName("shop", "cart")?.ports[0]?.endpoints;
  expect(found?.map(({ ip, port }) => `${ip}:${port}`)).toEqual([
    ...["10.0.0.1:8080", "10.0.0.3:8080", "10.0.0.4:8080", "10.0.0.1:9"],
  ]);
});

test("with internalTrafficPolicy Local a pod gets to endpoints on its node alone, and nowhere without one", () => {
  const on = (ip: string, nodeName: string) => ({ ...at(ip), nodeName });
  const slices = [slice("cart", [on("10.0.0.1", "node-1"), on("10.0.0.2", "node-2")])];
  using local = directoryOf({}, slices, { internalTrafficPolicy: "Local" });
  using usual = directoryOf({}, slices, { internalTrafficPolicy: "Cluster" });
  const from = (directory: typeof local, node?: string) =>
    backends(directory, {} as never, "172.20.0.9", 80, node)?.map(
      ({ ip, isDropped }) => `${ip}${isDropped ? " dropped" : ""}`,
    );
  expect(from(local, "node-1")).toEqual(["10.0.0.1"]);
  expect(from(local, "node-3")).toEqual(["10.0.0.1 dropped", "10.0.0.2 dropped"]);
  expect(from(local)).toEqual(["10.0.0.1", "10.0.0.2"]);
  expect(from(usual, "node-3")).toEqual(["10.0.0.1", "10.0.0.2"]);
});
