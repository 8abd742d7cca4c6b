import { createRng, type Logger, silentLogger } from "@microremed/core";
import { type Environment, environments, renderManifests } from "@microremed/environments";
import { createMachine } from "@microremed/sim-machine";
import { type KubeObject, type NewObject, type ResourceRef, resources } from "@microremed/sim-objects";
import { createStore } from "@microremed/sim-store";
import { createEventLoop } from "@microremed/sim-time";
import { startControlPlane } from "../control-plane/control-plane.ts";
import { createFakeNetwork } from "./fake-network.ts";

const startAt = Date.parse("2026-03-01T08:00:00Z");
const workMs = 100;

const failOnError: Logger = {
  ...silentLogger,
  warn: (fields, message) => {
    throw new Error(
      `${message}: ${JSON.stringify(fields)} ${String((fields as { err?: Error }).err?.stack)}`,
    );
  },
  error: (fields, message) => {
    throw new Error(`${message}: ${String((fields as { err?: Error }).err?.stack)}`);
  },
};

const byKind: Readonly<Record<string, ResourceRef>> = {
  ConfigMap: resources.configMaps,
  Secret: resources.secrets,
  Service: resources.services,
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  ServiceAccount: resources.serviceAccounts,
};

/** A control plane on a fake network, stepped by hand: start-up work is done at the container's CPU limit. */
export function createSteppedWorld(options: { seed?: number; systems?: readonly string[] } = {}) {
  const systems: readonly Environment[] = (options.systems ?? []).map((name) => environments.get(name));
  const rng = createRng(options.seed ?? 1, "world");
  const loop = createEventLoop({ startAt, timeScale: 60, log: failOnError });
  const store = createStore({ now: () => loop.now(), rng: rng.fork("store") });
  const machine = createMachine(loop);
  const network = createFakeNetwork(machine, store);
  const plane = startControlPlane({
    store,
    loop,
    rng,
    log: failOnError,
    machine,
    network,
    environments: systems,
  });
  loop.every(workMs, "work", () => {
    for (const sandbox of machine.sandboxes.values()) {
      for (const container of sandbox.containers.values()) {
        container.startupLeft -= ((container.cpuLimit ?? 1) * workMs) / 1000;
      }
    }
  });
  const get = (resource: ResourceRef, name: string, namespace = "shop"): KubeObject | undefined =>
    store.get(resource, namespace, name);
  return {
    ...plane,
    loop,
    store,
    machine,
    get,
    create(resource: ResourceRef, object: NewObject): KubeObject {
      return store.create(resource, object);
    },
    createNamespace(name = "shop"): void {
      store.create(resources.namespaces, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Active" },
      });
    },
    apply(system: string, namespace = "shop"): void {
      for (const manifest of renderManifests(environments.get(system), { namespace })) {
        const resource = byKind[manifest.kind];
        if (resource) store.create(resource, manifest);
      }
    },
    pods: (namespace = "shop"): readonly KubeObject[] => store.list(resources.pods, namespace),
    events: (reason: string): readonly KubeObject[] =>
      store.list(resources.events).filter((event) => event["reason"] === reason),
    /** Steps until `holds`; fails after `seconds` of cluster time. Returns the seconds that it took. */
    stepUntil(holds: () => boolean, seconds = 120): number {
      const began = loop.now();
      while (!holds()) {
        if (loop.now() - began > seconds * 1000) throw new Error(`did not come true in ${seconds} s`);
        loop.advance(100);
      }
      return (loop.now() - began) / 1000;
    },
  };
}

export type SteppedWorld = ReturnType<typeof createSteppedWorld>;
