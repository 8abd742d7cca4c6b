import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext, Manifest, Step } from "../case.types.ts";
import { collectionOf, pathOf, type Ref } from "../kinds.ts";
import { difference, fillShape, type Shape } from "../match.ts";

const pollMs = 100;

async function read(context: CaseContext, ref: Ref): Promise<unknown> {
  const path = context.fill(pathOf(ref, context.namespace));
  const { status, text } = await context.target.http("GET", path, { signal: context.signal });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
  return JSON.parse(text);
}

async function poll(
  context: CaseContext,
  what: string,
  check: () => Promise<string | undefined>,
): Promise<void> {
  for (let last = "nothing"; ; ) {
    try {
      const found = await check();
      if (found === undefined) return;
      last = found;
      await delay(pollMs, undefined, { signal: context.signal });
    } catch (error) {
      if (context.signal.aborted) throw new Error(`did not see ${what} in time: ${last}`, { cause: error });
      throw error;
    }
  }
}

/** Waits until an object, or a list (`pod?labelSelector=...`), has this shape. */
export const until = (ref: Ref, shape: Shape): Step => ({
  run(context) {
    const wanted = fillShape(shape, context.fill);
    return poll(context, ref, async () => difference(await read(context, ref), wanted));
  },
});

/** An object has this shape at once. */
export const is = (ref: Ref, shape: Shape): Step => ({
  async run(context) {
    const wrong = difference(await read(context, ref), fillShape(shape, context.fill));
    if (wrong) throw new Error(`${ref}: ${wrong}`);
  },
});

/** Waits until an object is no more. */
export const gone = (ref: Ref): Step => ({
  run: (context) =>
    poll(context, `the end of ${ref}`, async () =>
      (await read(context, ref)) === undefined ? undefined : "it is there",
    ),
});

/** Waits until an event of a reason is there, about an object, with a text. */
export const event = (about: string, reason: string, message: RegExp, type = "Normal"): Step => ({
  run: (context) =>
    poll(context, `the event ${reason} about ${about}`, async () => {
      const { items } = (await read(context, "event")) as { items: readonly { [field: string]: never }[] };
      const wanted = {
        type,
        reason,
        message,
        involvedObject: { name: context.fill(about) },
      };
      if (items.some((item) => difference(item, wanted) === undefined)) return undefined;
      const near = items.filter((item) => item["reason"] === reason).map((item) => item["message"]);
      return `with that reason there are ${JSON.stringify(near)}`;
    }),
});

/** Creates objects, in the case's namespace unless they have none; whatever is outside it is deleted afterwards. */
export const given = (...manifests: readonly Manifest[]): Step => ({
  async run(context) {
    const { fill, signal, target } = context;
    for (const each of manifests) {
      const namespace = String(each.metadata["namespace"] ?? context.namespace);
      const { path, global } = collectionOf(each.apiVersion, each.kind, namespace);
      const body = fill(JSON.stringify(each));
      const { status, text } = await target.http("POST", fill(path), { signal, body });
      if (status !== 201)
        throw new Error(`creating ${each.kind} ${each.metadata.name} answered ${status}: ${text}`);
      if (!global && namespace === context.namespace) continue;
      const { name } = JSON.parse(text).metadata;
      context.afterwards(async () => {
        await target.http("DELETE", fill(`${path}/${name}`), { signal: context.signal });
      });
    }
  },
});

/** The pod is Ready. */
export const ready = (name: string): Step =>
  until(`pod/${name}`, { status: { conditions: (all: unknown) => isTrue(all, "Ready") } });

function isTrue(conditions: unknown, type: string): boolean {
  return Array.isArray(conditions) && conditions.some((each) => each.type === type && each.status === "True");
}

/**
 * Deletes a pod that comes back under its name, and waits for the new one. `kubectl delete` itself may wait for ever when
 * the new pod is there before its second check.
 */
export const replaced = (name: string): readonly Step[] => [
  {
    async run({ namespace, target, signal }) {
      const { status, text } = await target.http("DELETE", pathOf(`pod/${name}`, namespace), { signal });
      if (status !== 200) throw new Error(`deleting pod ${name} answered ${status}: ${text}`);
    },
  },
  until(`pod/${name}`, { metadata: { deletionTimestamp: undefined } }),
];

/** Deployments, StatefulSets, ReplicaSets: that many replicas are ready, and no other exist. */
export const replicas = (ref: Ref, count: number): Step =>
  until(ref, { status: { replicas: exactly(count), readyReplicas: exactly(count) } });

/** Go leaves zeros out. */
const exactly = (count: number) => (value: number | undefined) => (value ?? 0) === count;
