import { environments, renderManifests } from "@microremed/environments";
import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { createWorld, type World } from "../world.ts";

export const arena = "arena";

/** A whole world with one system in the namespace `arena`, stepped until all its pods are Ready. For tests and benchmarks. */
export function deployedWorld(system: string, seed = 1): World {
  const environment = environments.get(system);
  const world = createWorld({ seed, environments: [environment] });
  world.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: arena } });
  for (const manifest of renderManifests(environment, { namespace: arena })) world.apply(manifest);
  const wanted = Object.values(environment.workloads).reduce((sum, { replicas }) => sum + replicas, 0);
  for (let waited = 0; !allReady(world, wanted); waited += 250) {
    if (waited > 600_000) throw new Error(`${system} is not Ready after 10 minutes of cluster time`);
    world.loop.advance(250);
  }
  return world;
}

function allReady(world: World, count: number): boolean {
  const pods = world.store.list(resources.pods, arena);
  return pods.length === count && pods.every(isReady);
}

/** Pods of a workload of the system. */
export function podsOf(world: World, app: string): readonly KubeObject[] {
  return world.store.list(resources.pods, arena).filter((pod) => pod.metadata.labels?.["app"] === app);
}

/** Success of the calls from one workload to another in the last second, 0..1. */
export function successOf(world: World, from: string, to: string): number | undefined {
  return world.physics.edges(arena).find((edge) => edge.from === from && edge.to === to)?.successRatio;
}
