import type { Cluster, KubeObject } from "@microremed/cluster";
import type { ObjectBefore } from "@microremed/contracts";
import { AppError } from "@microremed/core";

/** Fields that the cluster assigns and that cannot be written otherwise. */
const assigned = ["clusterIP", "clusterIPs", "volumeName"];

/**
 * Puts objects back as they were before an action. What the cluster refuses is said of that object, and the others are put
 * back all the same.
 */
export async function undo(
  cluster: Cluster,
  namespace: string,
  objects: readonly ObjectBefore[],
): Promise<{ readonly ok: boolean; readonly output: string }> {
  if (objects.length === 0)
    return { ok: true, output: "There is nothing to undo: no command has changed anything." };
  const lines: string[] = [];
  let ok = true;
  for (const object of objects) {
    const name = `${object.kind.toLowerCase()}/${object.name}`;
    try {
      lines.push(`${name} ${await putBack(cluster, namespace, object)}`);
    } catch (error) {
      const { code, message } = AppError.from(error);
      if (code !== "cluster-refused") throw error;
      ok = false;
      lines.push(`${name} not put back: ${message}`);
    }
  }
  return { ok, output: lines.join("\n") };
}

async function putBack(
  cluster: Cluster,
  namespace: string,
  { apiVersion, kind, name, before }: ObjectBefore,
): Promise<string> {
  const of = { apiVersion, kind };
  if (before === undefined) return "not put back: it is too large to be kept";
  if (before === null) return (await cluster.delete(of, namespace, name)) ? "deleted" : "is gone already";
  const object = before as KubeObject;
  const live = await cluster.get(of, namespace, name);
  if (!live) {
    await cluster.create(object);
    return "created again";
  }
  await cluster.replace({ ...object, ...withAssigned(object, live) });
  return "put back";
}

function withAssigned(object: KubeObject, live: KubeObject): KubeObject {
  const [spec, now] = [object["spec"], live["spec"]] as readonly (Record<string, unknown> | undefined)[];
  const kept = assigned.flatMap((field) => (now?.[field] === undefined ? [] : [[field, now[field]]]));
  const { resourceVersion } = live.metadata;
  return {
    metadata: { ...object.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
    ...(spec && { spec: { ...spec, ...Object.fromEntries(kept) } }),
  };
}
