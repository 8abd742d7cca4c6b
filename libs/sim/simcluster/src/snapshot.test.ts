import { environments, renderManifests } from "@microremed/environments";
import { chaosRef } from "@microremed/sim-chaos-mesh";
import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createWorld, type World } from "./world.ts";

const namespace = "arena";

function running(system: string): World {
  const environment = environments.get(system);
  const world = createWorld({ seed: 7, environments: [environment] });
  world.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const manifest of renderManifests(environment, { namespace })) world.apply(manifest);
  world.loop.advance(60_000);
  return world;
}

/** Everything that anybody could see of a world: objects, containers, files, logs, requests, metrics. */
function dump(world: World): string {
  const objects = [...world.store.snapshot().objects].map(([key, each]) => [key, [...each]]);
  const machine = [...world.machine.sandboxes.values()].map((sandbox) => ({
    ...sandbox,
    volumes: [],
    containers: [...sandbox.containers.values()].map((each) => ({ ...each, behaviour: undefined })),
  }));
  const { physics, metrics, requests } = world;
  const counted = [...world.machine.sandboxes.values()].map((sandbox) => [
    requests.exposition(sandbox),
    requests.traffic(sandbox),
  ]);
  const seen = [physics.edges(namespace), physics.services(namespace), metrics.pods(namespace), counted];
  return JSON.stringify([world.loop.now(), world.store.resourceVersion, objects, machine, seen]);
}

const stress = (app: string) => ({
  apiVersion: "chaos-mesh.org/v1alpha1",
  kind: "StressChaos",
  metadata: { name: "stress", namespace },
  spec: {
    mode: "one",
    selector: { namespaces: [namespace], labelSelectors: { app } },
    stressors: { memory: { workers: 2, size: "2GiB" }, cpu: { workers: 4 } },
  },
});

function disturb(world: World): void {
  world.apply(stress("frontend"));
  world.loop.advance(20_000);
  const victim = world.store.list(resources.pods, namespace)[3]?.metadata.name ?? "";
  world.store.delete(resources.pods, namespace, victim);
  world.store.mutate(resources.deployments, namespace, "cartservice", (deployment) => ({
    ...deployment,
    spec: { ...deployment.spec, replicas: 3 },
  }));
  world.loop.advance(70_000);
  world.store.delete(chaosRef("stresschaos"), namespace, "stress");
  world.loop.advance(45_000);
}

test("makes the same world again after going back, as often as one likes", () => {
  using world = running("online-boutique");
  const moment = world.snapshot();
  const before = dump(world);
  disturb(world);
  const after = dump(world);
  expect(after).not.toBe(before);
  for (const _again of [1, 2]) {
    world.restore(moment);
    expect(dump(world)).toBe(before);
    disturb(world);
    expect(dump(world)).toBe(after);
  }
});

test("goes back into the middle of a fault, a rollout and a termination", () => {
  using world = running("online-boutique");
  world.apply(stress("currencyservice"));
  world.store.mutate(resources.deployments, namespace, "adservice", (deployment) => ({
    ...deployment,
    spec: {
      ...deployment.spec,
      template: { ...deployment.spec.template, metadata: { labels: { app: "adservice", again: "yes" } } },
    },
  }));
  world.loop.advance(4_321);
  const moment = world.snapshot();
  world.loop.advance(300_000);
  const undisturbed = dump(world);
  world.restore(moment);
  disturb(world);
  world.restore(moment);
  world.loop.advance(300_000);
  expect(dump(world)).toBe(undisturbed);
});

test("branches: what happened on one branch is unknown to the other", () => {
  using world = running("online-boutique");
  const fork = world.snapshot();
  disturb(world);
  const branch = world.snapshot();
  const there = dump(world);
  world.restore(fork);
  world.loop.advance(10_000);
  world.restore(branch);
  expect(dump(world)).toBe(there);
});

test("with a salt, what is random afterwards is drawn again: the same salt makes the same world, another one another", () => {
  using world = running("online-boutique");
  const moment = world.snapshot();
  const [names, dumps] = [new Set<string>(), new Map<string, string>()];
  for (const salt of ["a", "b", "a"]) {
    world.restore(moment, salt);
    disturb(world);
    names.add(
      world.store
        .list(resources.pods, namespace)
        .map((pod) => pod.metadata.name)
        .join(),
    );
    const seen = dump(world);
    expect(dumps.get(salt) ?? seen).toBe(seen);
    dumps.set(salt, seen);
  }
  expect([names.size, dumps.size]).toEqual([2, 2]);
  world.restore(moment);
  disturb(world);
  const unsalted = dump(world);
  expect([...dumps.values()]).not.toContain(unsalted);
  world.restore(moment);
  disturb(world);
  expect(dump(world)).toBe(unsalted);
});

test("tokens of before a snapshot are honoured after going back to it, those of since never again", () => {
  using world = running("simple-micro");
  const { tokens, store } = world;
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: "late" } };
  const make = () => store.create(resources.serviceAccounts, account);
  const issue = (name: string) => {
    const account = store.get(resources.serviceAccounts, namespace, name);
    if (!account) throw new Error(`no account ${name}`);
    return { uid: account.metadata.uid, token: tokens.issue(account, 3600).token };
  };
  const early = issue("default");
  const moment = world.snapshot();
  const uids = [1, 2].map(() => {
    world.restore(moment, "same");
    make();
    const late = issue("late");
    expect([early, late].map(({ token }) => tokens.verify(token)?.name)).toEqual([
      "system:serviceaccount:arena:default",
      "system:serviceaccount:arena:late",
    ]);
    return late;
  });
  expect(uids[0]?.uid).toBe(uids[1]?.uid);
  expect(tokens.verify(uids[0]?.token ?? "")).toBeUndefined();
});

test("wakes sleepers with an error and refuses a snapshot of another cluster", async () => {
  using world = running("online-boutique");
  using other = createWorld({ seed: 1, environments: [] });
  const moment = world.snapshot();
  const sleeping = world.loop.sleep(1_000_000);
  world.restore(moment);
  await expect(sleeping).rejects.toThrow("put back to an earlier state");
  expect(() => world.restore(other.snapshot())).toThrow("another cluster");
});

test("a shell that waits for its first client waits on after going back, and a loop prints on", async () => {
  using world = createWorld({ seed: 7, environments: [] });
  const pods = {
    shell: { command: ["sh"], stdin: true },
    loop: { command: ["sh", "-c", "while true; do echo x; sleep 5; done"] },
  };
  for (const [name, fields] of Object.entries(pods))
    world.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default" },
      spec: { containers: [{ name: "main", image: "busybox:1.36", ...fields }] },
    });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      world.loop.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const restarts = (): unknown =>
    Object.keys(pods).map((name) => {
      const pod = world.store.get(resources.pods, "default", name);
      return [pod?.status?.phase, pod?.status?.containerStatuses?.[0]?.restartCount];
    });
  const calm = [
    ["Running", 0],
    ["Running", 0],
  ];
  await pass(60);
  expect(restarts()).toEqual(calm);
  const moment = world.snapshot();
  await pass(30);
  world.restore(moment);
  await pass(30);
  expect(restarts()).toEqual(calm);
});
