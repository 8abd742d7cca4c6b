import { drawnParameters, type Problem } from "@microremed/catalogue";
import type { Cluster, Kind, KubeObject } from "@microremed/cluster";
import { createRng } from "@microremed/core";
import { changeLogKinds, revisionKinds } from "@microremed/kubectl/over-cluster";
import type { Catalogue } from "@microremed/registry";
import type { aToolUser } from "@microremed/stack/in-process/testing";
import { type ShownLeaf, shownLeaves } from "../shown-leaves.ts";

type User = Awaited<ReturnType<typeof aToolUser>>;

/** Time that controllers take to follow a change, and that sets one change apart from the next, cluster time, ms. */
const apartMs = 2_000;

/** What a change log shows of what `act` does to an arena. It is put back, with the revisions that the next change would be compared with. */
export async function leavesOf(
  { arena, cluster, call }: User,
  act: () => Promise<void>,
): Promise<ShownLeaf[]> {
  const { namespace } = arena;
  const before = await objectsIn(cluster, namespace, changeLogKinds);
  const made = await objectsIn(cluster, namespace, revisionKinds);
  const from = await cluster.clock.now();
  try {
    await act();
    await cluster.clock.sleep(apartMs);
    return shownLeaves((await call("diff_since", { since: "24h" }, from)).answer);
  } finally {
    await putBack(cluster, before, await objectsIn(cluster, namespace, changeLogKinds));
    await cluster.clock.sleep(apartMs);
    await deleteNew(cluster, made, await objectsIn(cluster, namespace, revisionKinds));
  }
}

/** What a change log shows of a problem's faults and noises, each for itself. */
export async function leavesOfProblem(
  user: User,
  problem: Problem,
  { faults, noises }: Pick<Catalogue, "faults" | "noises">,
  seed: number,
): Promise<ShownLeaf[]> {
  const { environment } = user.arena;
  const acts = [
    ...problem.incident.flatMap(({ fault: name, target, parameters: given }) => {
      const fault = faults.get(name);
      const rng = createRng(seed, `${problem.id} ${name} ${target}`);
      const parameters = drawnParameters(fault, { environment, target }, given, rng) ?? {};
      return fault.cause ? [] : [() => fault.inject({ ...user.arena, target, parameters })];
    }),
    ...problem.noise.map(
      ({ noise, target = "", parameters = {} }) =>
        () =>
          noises.get(noise).place({ ...user.arena, target, parameters }),
    ),
  ];
  const leaves: ShownLeaf[] = [];
  for (const act of acts) leaves.push(...(await leavesOf(user, act)));
  return leaves;
}

type Objects = ReadonlyMap<string, KubeObject>;

async function objectsIn(cluster: Cluster, namespace: string, of: readonly Kind[]): Promise<Objects> {
  const lists = of.map(async ({ apiVersion, kind }) =>
    (await cluster.list({ apiVersion, kind }, { namespace })).map((one) => ({ ...one, apiVersion, kind })),
  );
  return new Map((await Promise.all(lists)).flat().map((one) => [`${one.kind}/${one.metadata.name}`, one]));
}

async function putBack(cluster: Cluster, before: Objects, after: Objects): Promise<void> {
  await deleteNew(cluster, before, after);
  for (const [key, object] of before) {
    const now = after.get(key);
    const { resourceVersion, uid: _, ...metadata } = object.metadata;
    if (now === undefined) await cluster.create({ ...object, metadata });
    else if (now.metadata.resourceVersion !== resourceVersion)
      // Once for its values, and once for who wrote them.
      for (const _ of ["values", "managers"]) await cluster.replace({ ...object, metadata });
  }
}

async function deleteNew(cluster: Cluster, before: Objects, after: Objects): Promise<void> {
  for (const [key, { apiVersion = "v1", kind = "", metadata }] of after)
    if (!before.has(key)) await cluster.delete({ apiVersion, kind }, metadata.namespace ?? "", metadata.name);
}
