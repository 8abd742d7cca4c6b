import { injectFailure, prepareArena } from "@microremed/arena";
import { targetText } from "@microremed/catalogue";
import { type Cluster, kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("simple-micro");
const fault = catalogue.faults.get("internal-traffic-policy-local");

const closedNodes = async (cluster: Pick<Cluster, "list">): Promise<string[]> =>
  (await cluster.list(kinds.node, {})).flatMap(({ metadata, spec }) =>
    spec && Reflect.get(spec, "unschedulable") === true ? [metadata.name] : [],
  );

test("nodes that a broken-off injection closed are open after the next one", async () => {
  const [target] = fault.targets(environment);
  if (!target) throw new Error("no target");
  const incident = { failure: fault.name, target: targetText(target), concealment: "neutral" } as const;
  // Nodes are closed only where all callers happen to be on the target's own.
  for (let seed = 1; seed <= 20; seed += 1) {
    await using user = await aToolUser(catalogue, environment, { seed });
    const { arena, cluster } = user;
    await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
    const broken = { ...arena, cluster: endingWhileClosed(cluster) };
    const inject = (place: typeof arena) => injectFailure(place, { ...incident, timeoutSeconds: 60 });
    const end = await inject(broken).catch((error: unknown) => error);
    if (end !== ended) continue;
    expect(await closedNodes(cluster)).not.toEqual([]);
    expect(await inject(arena)).toMatchObject({ status: "ok" });
    expect(await closedNodes(cluster)).toEqual([]);
    return;
  }
  throw new Error("no seed has all callers on the target's node");
});

const ended = new Error("the process has ended");

/** Access by a process that ends when it is about to open the nodes: nothing of it runs any more. */
const endingWhileClosed = (cluster: Cluster): Cluster => ({
  ...cluster,
  async patch(kind, namespace, name, patch) {
    if (kind === kinds.node && JSON.stringify(patch).includes("null")) throw ended;
    return await cluster.patch(kind, namespace, name, patch);
  },
});
