import { createRng, silentLogger } from "@microremed/core";
import { type AdmissionRequest, definitionsRef } from "@microremed/sim-kinds";
import type { Machine } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { createStore, type Store } from "@microremed/sim-store";
import { createEventLoop, type PumpedEventLoop } from "@microremed/sim-time";
import { chaosResources } from "../admission/chaos-resources.ts";
import { type ChaosMesh, createChaosMesh } from "../chaos-mesh.ts";
import { chaosRef } from "../model/refs.ts";
import { createTestPods, namespace, type TestPods } from "./test-pods.ts";

/** A Chaos Mesh over a real store and loop, with pods that tests place by hand. For tests. */
export interface ChaosWorld extends Omit<TestPods, "machine"> {
  readonly store: Store;
  readonly loop: PumpedEventLoop;
  readonly machine: Machine;
  readonly chaos: ChaosMesh;
  readonly killed: string[];
  /** Passes admission and is stored. */
  create(plural: string, name: string, spec: object): KubeObject;
  get(plural: string, name: string): KubeObject;
  find(plural: string, name: string): KubeObject | undefined;
  annotate(plural: string, name: string, annotations: Record<string, string>): void;
  /** Names of the conditions that are True. */
  holds(plural: string, name: string): readonly string[];
  events(
    name: string,
  ): readonly { readonly type: string; readonly reason: string; readonly message: string }[];
}

const user = { name: "kubernetes-admin", uid: "", groups: ["system:masters"] };

/** An empty world at 2026-01-01 with seed 1. Its time advances only by `loop.advance`. */
export function createChaosWorld(): ChaosWorld {
  const loop = createEventLoop({
    startAt: Date.parse("2026-01-01T00:00:00Z"),
    timeScale: 1,
    log: silentLogger,
  });
  const rng = createRng(1);
  const store = createStore({ now: () => loop.now(), rng: rng.fork("store") });
  for (const { installed } of chaosResources)
    if (installed) store.create(definitionsRef, installed.definition);
  const pods = createTestPods(store, loop);
  const { machine } = pods;
  const killed: string[] = [];
  const chaos = createChaosMesh({
    store,
    loop,
    machine,
    rng: rng.fork("chaos"),
    killContainer: (sandbox, container, code) => killed.push(`${sandbox.name}/${container.name} ${code}`),
    resolve: () => [],
  });

  const world: ChaosWorld = {
    store,
    loop,
    machine,
    chaos,
    killed,
    addPod: pods.addPod,
    removePod: pods.removePod,
    restartContainer: pods.restartContainer,
    create(plural, name, spec) {
      const kind = plural;
      const request = (object: AdmissionRequest["object"]): AdmissionRequest => ({
        operation: "CREATE",
        object,
        old: undefined,
        user,
        namespace,
        group: "chaos-mesh.org",
        resource: plural,
      });
      const object = { apiVersion: "chaos-mesh.org/v1alpha1", kind, metadata: { name, namespace }, spec };
      const mutated = chaos.admission.mutate?.(request(object)) ?? object;
      chaos.admission.validate?.(request(mutated));
      return store.create(chaosRef(plural), mutated);
    },
    find: (plural, name) => store.get(chaosRef(plural), namespace, name),
    get(plural, name) {
      const object = world.find(plural, name);
      if (!object) throw new Error(`${plural} ${name} is gone`);
      return object;
    },
    annotate(plural, name, annotations) {
      store.mutate(chaosRef(plural), namespace, name, (object) => ({
        ...object,
        metadata: { ...object.metadata, annotations },
      }));
    },
    holds: (plural, name) =>
      (world.get(plural, name).status?.conditions ?? [])
        .filter((condition: { status: string }) => condition.status === "True")
        .map((condition: { type: string }) => condition.type),
    events: (name) =>
      store
        .list({ group: "", resource: "events" })
        .filter((event) => (event["involvedObject"] as { name: string }).name === name)
        .map((event) => ({
          type: String(event["type"]),
          reason: String(event["reason"]),
          message: String(event["message"]),
        })),
  };
  return world;
}
