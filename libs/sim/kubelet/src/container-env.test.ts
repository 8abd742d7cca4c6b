import { createRng } from "@microremed/core";
import { type KubeObject, resources } from "@microremed/sim-objects";
import { createStore } from "@microremed/sim-store";
import { expect, test } from "vitest";
import { resolveEnv } from "./container-env.ts";

const service = (namespace: string, name: string, clusterIP: string, port: number) => ({
  ...{ apiVersion: "v1", kind: "Service", metadata: { namespace, name } },
  spec: { clusterIP, ports: [{ name: "https", port }] },
});

const addresses = { podIP: "10.0.0.1", hostIP: "10.1.0.1" };
/** The variables that a pod of namespace `shop` gets where these Services are. */
function variables(services: readonly ReturnType<typeof service>[], enableServiceLinks = true) {
  const store = createStore({ now: () => 0, rng: createRng(1) });
  for (const one of services) store.create(resources.services, one);
  const pod = { metadata: { namespace: "shop", name: "cart" }, spec: { enableServiceLinks } };
  const facts = { pod: pod as unknown as KubeObject, ...addresses, hostname: "cart-0" };
  const made = resolveEnv(store, facts, { name: "cart", image: "cart:1" });
  if ("error" in made) throw new Error(made.error);
  return made.env;
}

const apiServer = service("default", "kubernetes", "10.96.0.1", 443);

test("pods find the Services of their namespace and the API server by variables", () => {
  const services = [
    apiServer,
    service("shop", "pay", "10.96.0.9", 80),
    service("other", "x", "10.96.0.8", 80),
  ];
  expect(variables(services)).toMatchObject({
    HOSTNAME: "cart-0",
    KUBERNETES_SERVICE_HOST: "10.96.0.1",
    PAY_SERVICE_HOST: "10.96.0.9",
    PAY_PORT_80_TCP_PORT: "80",
  });
  expect(variables(services)).not.toHaveProperty("X_SERVICE_HOST");
  expect(variables(services, false)).toMatchObject({ KUBERNETES_SERVICE_HOST: "10.96.0.1" });
  expect(variables(services, false)).not.toHaveProperty("PAY_SERVICE_HOST");
});

test("a Service of their own namespace takes the API server's place, if it has an address", () => {
  const named = (clusterIP: string) => [apiServer, service("shop", "kubernetes", clusterIP, 6443)];
  expect(variables(named("10.96.0.66"))).toMatchObject({
    KUBERNETES_SERVICE_HOST: "10.96.0.66",
    KUBERNETES_SERVICE_PORT: "6443",
  });
  expect(variables(named("10.96.0.66"))).not.toHaveProperty("KUBERNETES_PORT_443_TCP");
  expect(variables(named("None"))).toMatchObject({ KUBERNETES_SERVICE_HOST: "10.96.0.1" });
  expect(variables(named("10.96.0.66"), false)).toMatchObject({ KUBERNETES_SERVICE_HOST: "10.96.0.1" });
});
