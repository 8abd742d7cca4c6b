import { terminal } from "@microremed/core";
import { harnessNamespace } from "../../agent-objects.ts";
import { kinds } from "../../kinds.ts";
import type { ClusterSuite } from "../test-cluster.ts";
import { aConfigMap, makeNamespace, namespace } from "./fixtures.ts";

const forbidden = { code: "cluster-refused", details: { status: 403 } };

/** What the credentials of an arena's agent and probes may do. */
export function accessTests({ test, create }: ClusterSuite): void {
  test("an agent may do everything in its arena and nothing elsewhere; a probe may only read", async ({
    expect,
  }) => {
    await using under = await create();
    const { cluster } = under;
    for (const name of [namespace, "other"]) await makeNamespace(cluster, name);
    const text = await cluster.agentKubeconfig(namespace, { readOnly: false });
    expect(await cluster.agentKubeconfig(namespace, { readOnly: false })).toBe(text);
    await using agent = await under.connect(text);
    await using probe = await under.connect(await cluster.agentKubeconfig(namespace, { readOnly: true }));

    await agent.create(aConfigMap("mine"));
    expect(await probe.get(kinds.configMap, namespace, "mine")).toBeDefined();
    const elsewhere = { ...aConfigMap("mine"), metadata: { name: "mine", namespace: "other" } };
    await expect(agent.create(elsewhere)).rejects.toMatchObject(forbidden);
    await expect(agent.list(kinds.secret, { namespace: harnessNamespace })).rejects.toMatchObject(forbidden);
    await expect(agent.list(kinds.role, { namespace })).rejects.toMatchObject(forbidden);
    await expect(agent.podMetrics("other")).rejects.toMatchObject(forbidden);
    expect(await agent.list(kinds.namespace, {})).not.toHaveLength(0);
    await expect(probe.delete(kinds.configMap, namespace, "mine")).rejects.toMatchObject(forbidden);
    await expect(probe.list(kinds.secret, { namespace })).rejects.toMatchObject(forbidden);
  });

  test("an arena that was deleted and made again gives its agent credentials that work", async ({
    expect,
  }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    await cluster.agentKubeconfig(namespace, { readOnly: false });
    await cluster.delete(kinds.namespace, undefined, namespace);
    await cluster.waitUntil(
      { what: "the namespace's end", timeoutMs: 120_000, kinds: [kinds.namespace] },
      (view) =>
        view.list(kinds.namespace).some(({ metadata }) => metadata.name === namespace) ? undefined : true,
    );
    await makeNamespace(cluster);
    await using agent = await under.connect(await cluster.agentKubeconfig(namespace, { readOnly: false }));
    expect(await agent.create(aConfigMap("mine"))).toBeDefined();
  });

  test("access to a run ends with the run, and with the next run's", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const held = { assertHeld: async () => {} };
    const first = await cluster.runAccess(namespace, held);
    await using early = await under.connect(first.kubeconfig);
    await early.create(aConfigMap("first"));
    const second = await cluster.runAccess(namespace, held);
    await expect(early.create(aConfigMap("late"))).rejects.toMatchObject({ code: "cluster-refused" });
    await using current = await under.connect(second.kubeconfig);
    await current.create(aConfigMap("second"));
    await second[Symbol.asyncDispose]();
    await expect(current.create(aConfigMap("later"))).rejects.toMatchObject({ code: "cluster-refused" });
  });

  test("who lost the arena gets no access to a run", async ({ expect }) => {
    await using under = await create();
    await makeNamespace(under.cluster);
    const assertHeld = async (): Promise<void> => {
      throw terminal("stale-lease", "the arena has a new lease");
    };
    await expect(under.cluster.runAccess(namespace, { assertHeld })).rejects.toMatchObject({
      code: "stale-lease",
    });
  });
}
