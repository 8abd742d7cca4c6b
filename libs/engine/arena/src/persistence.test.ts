import { kinds } from "@microremed/cluster";
import type { Concealment } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, type LocalWorld, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const { environments } = catalogue;

const boutique = environments.get("online-boutique");
const target = "cartservice";

/** Injects, lets a remedy act, and says whether that was a repair; the arena is restored afterwards. */
async function judge(
  { cluster }: LocalWorld,
  of: { failure: string; persistence: "once" | "rearm"; concealment?: Concealment },
  act: (nodes: readonly string[]) => Promise<unknown>,
): Promise<string> {
  const arena = arenaOn(cluster, boutique);
  const { failure, persistence, concealment = "none" } = of;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const command = { failure, target, concealment, timeoutSeconds: 60 };
  const body = await injectFailure(arena, command);
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  await act(injection.nodes ?? []);
  let changes = 0;
  const verdict = await verifyRecovery(
    { ...arena, target, concealment },
    judgedFault(catalogue, failure),
    { baseline, injection, remedyAt: null, persistence },
    300,
    async () => void changes++,
  );
  await restoreArena(arena, { ...command, timeoutSeconds: 600 });
  return `${verdict.recovered ? "recovered" : "still there"}, put back ${changes} times`;
}

test("a new pod ends a failure that is injected once, and not one that is re-armed", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const restart = async () => {
    for (const { metadata } of await cluster.list(kinds.pod, {
      namespace: boutique.namespace,
      labelSelector: `app=${target}`,
    })) {
      await cluster.delete(kinds.pod, boutique.namespace, metadata.name);
    }
  };
  const failure = "network-delay";
  expect(await judge(world, { failure, persistence: "once" }, restart)).toBe("recovered, put back 0 times");
  expect(await judge(world, { failure, persistence: "rearm" }, restart)).toBe(
    "still there, put back 1 times",
  );
  // Out of the agent's reach there is no right action against stress: a new pod is a repair again.
  const stress = { failure: "cpu-stress", persistence: "rearm", concealment: "neutral" } as const;
  expect(await judge(world, stress, restart)).toBe("recovered, put back 0 times");
});

test("the right action ends a re-armed failure: its cause removed, or its node left for good", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const { namespace } = boutique;
  const rearmed = { failure: "network-loss", persistence: "rearm" } as const;
  const removeCause = () => cluster.delete(kinds.networkChaos, namespace, "network-loss");
  expect(await judge(world, rearmed, removeCause)).toBe("recovered, put back 0 times");

  const leave = (nodes: readonly string[]) => {
    const away = { key: "kubernetes.io/hostname", operator: "NotIn", values: nodes };
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [away] }] },
    };
    const body = { spec: { template: { spec: { affinity: { nodeAffinity } } } } };
    return cluster.patch(kinds.deployment, namespace, target, { type: "merge", body });
  };
  expect(await judge(world, { ...rearmed, concealment: "neutral" }, leave)).toBe(
    "recovered, put back 0 times",
  );
});

test("where no other node is left, a concealed failure is not put back", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const { namespace } = boutique;
  await prepareArena(arenaOn(cluster, boutique), { redeploy: false, timeoutSeconds: 900 });
  const restart = async () => {
    for (const { metadata } of await cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` }))
      await cluster.delete(kinds.pod, namespace, metadata.name);
  };
  const rearmed = { failure: "network-delay", persistence: "rearm", concealment: "neutral" } as const;
  expect(await judge(world, rearmed, restart)).toBe("still there, put back 1 times");

  const [pod] = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` });
  for (const { metadata } of await cluster.list(kinds.node, {})) {
    if (metadata.name === pod?.spec?.nodeName) continue;
    const body = { spec: { unschedulable: true } };
    await cluster.patch(kinds.node, undefined, metadata.name, { type: "merge", body });
  }
  expect(await judge(world, rearmed, restart)).toBe("recovered, put back 0 times");
});
