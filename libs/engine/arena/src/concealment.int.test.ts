import { chaosKinds, kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { readConcealed } from "./concealed.ts";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, kubectlAs, startWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const { environments, faults } = catalogue;

const shop = environments.get("simple-micro");
const target = "hello-service";
const command = { failure: "network-delay", target, concealment: "neutral", timeoutSeconds: 60 } as const;

test("a concealed fault acts, and the agent can neither find, nor change, nor end its cause", async () => {
  await using world = await startWorld("concealed", shop);
  const { cluster } = world;
  const arena = arenaOn(cluster, shop);
  const { namespace } = arena;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, command);
  expect(body).toMatchObject({ status: "ok", injection: { nodes: [expect.any(String)] } });

  const [cause, ...more] = await readConcealed(arena);
  expect(more).toEqual([]);
  expect(cause).toMatchObject({ kind: "NetworkChaos", metadata: { namespace: "microremed" } });
  expect(cause?.metadata.name).toMatch(/^x[0-9a-f]{12}$/);
  expect(Object.values(cause?.metadata.labels ?? {})).toEqual(["microremed", namespace]);

  for (const readOnly of [false, true]) {
    const agent = await kubectlAs(await cluster.agentKubeconfig(namespace, { readOnly, concealed: true }));
    const refused = [
      ...chaosKinds.map(({ kind }) => `get ${kind.toLowerCase()}.chaos-mesh.org`),
      "get networkchaos.chaos-mesh.org -A",
      "get podnetworkchaos.chaos-mesh.org",
      `delete networkchaos.chaos-mesh.org ${cause?.metadata.name} -n microremed`,
      "delete networkchaos.chaos-mesh.org --all -n microremed",
      "get pods -n microremed",
      "get events -n microremed",
    ];
    for (const line of refused) {
      const said = await agent(line);
      expect(said.code, `${line}: ${said.output}`).not.toBe(0);
      expect(said.output).toMatch(/forbidden|doesn't have a resource type|could not find the requested/i);
    }
    // What it does see says nothing of the cause's kind.
    for (const line of ["get all,events,configmaps -o yaml", `describe pods -l app=${target}`]) {
      const said = await agent(line);
      expect(said.code, said.output).toBe(0);
      expect(said.output.split("\n").filter((text) => /network-delay|networkchaos/i.test(text))).toEqual([]);
    }
  }
  const open = await kubectlAs(await cluster.agentKubeconfig(namespace, { readOnly: true }));
  expect(await open("get networkchaos.chaos-mesh.org")).toMatchObject({ code: 0 });

  expect(await restoreArena(arena, { ...command, timeoutSeconds: 600 })).toMatchObject({ how: "reset" });
  expect(await readConcealed(arena)).toEqual([]);

  // What a restore did not get to is found by the next episode's preparation; another arena's is left alone.
  const context = { ...arena, target, concealment: "neutral" } as const;
  await faults.get("cpu-stress").inject(context);
  await faults.get("cpu-stress").inject({ ...context, namespace: "elsewhere" });
  expect(await readConcealed(arena)).toHaveLength(1);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  expect(await readConcealed(arena)).toEqual([]);
  expect(await cluster.list(kinds.stressChaos, { namespace: "microremed" })).toHaveLength(1);
});
