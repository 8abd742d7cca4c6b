import type { KubeObject } from "@microremed/cluster";
import { isLate } from "@microremed/core";
import { type Call, durationMs, flagOf, isSet } from "../call.ts";
import { KubectlFailure } from "../failures.ts";
import { findObjects, kindOf, nameOf, readSelection } from "../select-objects.ts";

const propagations = { background: "Background", foreground: "Foreground", orphan: "Orphan" } as const;

export async function remove(call: Call): Promise<string> {
  const { cluster } = call;
  const selection = readSelection(call.operands, call.custom);
  if (
    selection.names.length === 0 &&
    !isSet(call, "all") &&
    !call.flags.has("selector") &&
    !call.flags.has("field-selector")
  )
    throw new KubectlFailure("error: resource(s) were provided, but no name was specified");
  const objects = await findObjects(call, selection);
  if (objects.length === 0)
    return call.flags.has("ignore-not-found") || selection.names.length > 0 ? "" : "No resources found\n";
  const cascade = flagOf(call, "cascade") ?? "background";
  const propagation = propagations[cascade as keyof typeof propagations] ?? "Background";
  const grace = isSet(call, "now")
    ? "1"
    : (flagOf(call, "grace-period") ?? (isSet(call, "force") ? "0" : undefined));
  const lines: string[] = [];
  for (const object of objects) {
    const { namespace, name } = object.metadata;
    const options = { propagation, ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }) };
    const deleted = await cluster.delete(kindOf(object), namespace, name, options);
    if (deleted)
      lines.push(
        `${nameOf(object).replace("/", ' "')}" ${isSet(call, "force") ? "force deleted" : "deleted"}`,
      );
  }
  if (isSet(call, "wait", true)) await awaitEnd(call, objects);
  return lines.map((line) => `${line}\n`).join("");
}

/** Until objects that are being deleted are gone, for as long as `--timeout` says. */
export async function awaitEnd(call: Call, objects: readonly KubeObject[]): Promise<void> {
  const { cluster } = call;
  const limit = flagOf(call, "timeout");
  const timeoutMs = Math.min(
    limit === undefined ? Number.POSITIVE_INFINITY : durationMs(limit),
    await call.timeLeft(),
  );
  const before = await cluster.clock.now();
  for (const object of objects) {
    const kind = kindOf(object);
    const { namespace, name, uid } = object.metadata;
    const left = timeoutMs - ((await cluster.clock.now()) - before);
    const options = { what: `the end of ${nameOf(object)}`, timeoutMs: Math.max(0, left), kinds: [kind] };
    const gone = cluster.waitUntil({ ...options, ...(namespace !== undefined && { namespace }) }, (view) =>
      view.list(kind).some(({ metadata }) => metadata.name === name && metadata.uid === uid)
        ? undefined
        : true,
    );
    await gone.catch((error: unknown) => {
      if (!isLate(error)) throw error;
      throw new KubectlFailure(`error: timed out waiting for the condition on ${nameOf(object)}`);
    });
  }
}
