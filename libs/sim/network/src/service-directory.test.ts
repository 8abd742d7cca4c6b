import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createServiceDirectory } from "./service-directory.ts";

/** The directory of one Service with these labels. */
function directoryOf(labels: object) {
  const service = {
    metadata: { namespace: "shop", name: "cart", labels },
    spec: { clusterIP: "172.20.0.9", ports: [{ port: 80 }] },
  };
  const store = {
    watch: () => () => {},
    get: (of: unknown) => (of === resources.services ? service : undefined),
    list: () => [service],
  };
  return createServiceDirectory(store as never, { keep: <T>(state: T) => state } as never);
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
