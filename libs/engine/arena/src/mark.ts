import { type Cluster, harnessNamespace, kinds, labelsOf } from "@microremed/cluster";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import type { Departures } from "./damage.ts";

const Digests = z.record(z.string(), z.string());
/** What the arena and the cluster around it looked like right after an injection. */
const Mark = z.strictObject({
  failure: z.string(),
  target: z.string(),
  arena: Digests,
  outside: Digests,
});

export interface Mark {
  readonly failure: string;
  readonly target: string;
  readonly arena: Departures;
  readonly outside: Departures;
}

const nameOf = (namespace: string): string => `injected-${namespace}`;

/** Kept beside the arena's record, out of the agents' reach. */
export async function writeMark(cluster: Cluster, namespace: string, mark: Mark): Promise<void> {
  await cluster.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: nameOf(namespace), namespace: harnessNamespace, labels: labelsOf(namespace) },
    data: { mark: Buffer.from(JSON.stringify(mark)).toString("base64") },
  });
}

/** Takes the mark away. Undefined: there was none of this failure on this target. */
export async function takeMark(
  cluster: Cluster,
  namespace: string,
  { failure, target }: Pick<Mark, "failure" | "target">,
): Promise<Mark | undefined> {
  const secret = await cluster.get(kinds.secret, harnessNamespace, nameOf(namespace));
  const data = secret?.["data"] as { mark?: string } | undefined;
  if (data?.mark === undefined) return undefined;
  await cluster.delete(kinds.secret, harnessNamespace, nameOf(namespace));
  const mark = parse(Buffer.from(data.mark, "base64").toString("utf8"));
  return mark?.failure === failure && mark.target === target ? mark : undefined;
}

function parse(text: string): Mark | undefined {
  return Mark.safeParse(parseJson(text)).data;
}
