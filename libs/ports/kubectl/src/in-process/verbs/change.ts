import type { KubeObject, Patch } from "@microremed/cluster";
import { load, loadAll } from "js-yaml";
import { type Call, flagOf, isSet } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { findObjects, kindOf, nameOf, readSelection } from "../select-objects.ts";

/** Patches every object that a call names; `body` makes each one's patch. */
export async function patchEach(
  call: Call,
  operands: readonly string[],
  word: string,
  patchFor: (object: KubeObject) => Patch,
): Promise<string> {
  const objects = await findObjects(call, readSelection(operands));
  const lines: string[] = [];
  for (const object of objects) {
    const { namespace, name, resourceVersion } = object.metadata;
    const after = await call.cluster.patch(kindOf(object), namespace, name, patchFor(object));
    const changed = after.metadata.resourceVersion !== resourceVersion;
    if (changed || word !== "patched") lines.push(`${nameOf(object)} ${word}\n`);
    else lines.push(`${nameOf(object)} patched (no change)\n`);
  }
  return lines.join("");
}

const merge = (body: unknown): Patch => ({ type: "merge", body });

export function patch(call: Call): Promise<string> {
  const text = flagOf(call, "patch");
  if (text === undefined)
    throw new KubectlFailure(
      "error: must specify --patch or --patch-file containing the contents of the patch",
    );
  const type = flagOf(call, "type") ?? "strategic";
  if (type !== "merge" && type !== "strategic" && type !== "json")
    throw new KubectlFailure(
      `error: --type must be one of [json merge strategic], not ${JSON.stringify(type)}`,
    );
  let body: unknown;
  try {
    body = load(text);
  } catch {
    throw new KubectlFailure(`error: unable to parse ${JSON.stringify(text)}: it is neither JSON nor YAML`);
  }
  return patchEach(call, call.operands, "patched", () => ({ type, body }));
}

export function scale(call: Call): Promise<string> {
  const replicas = Number(flagOf(call, "replicas"));
  if (!Number.isInteger(replicas) || replicas < 0)
    throw new KubectlFailure(
      "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
    );
  return patchEach(call, call.operands, "scaled", () => merge({ spec: { replicas } }));
}

/** `kubectl annotate|label OBJECT key=value other-` */
export function markWith(field: "annotations" | "labels", word: string): (call: Call) => Promise<string> {
  return (call) => {
    const marks = call.operands.filter((operand) => /^[^/]*[^/=]=|^.*=/.test(operand) || /-$/.test(operand));
    const named = call.operands.filter((operand) => !marks.includes(operand));
    const values = Object.fromEntries(
      marks.map((mark): [string, string | null] => {
        if (!mark.includes("=")) return [mark.slice(0, -1), null];
        const at = mark.indexOf("=");
        return [mark.slice(0, at), mark.slice(at + 1)];
      }),
    );
    return patchEach(call, named, word, (object) => {
      const clash = Object.entries(values).find(([key, value]) => {
        const old = object.metadata[field]?.[key];
        return value !== null && old !== undefined && old !== value;
      });
      if (clash && !isSet(call, "overwrite"))
        throw new KubectlFailure(
          `error: '${clash[0]}' already has a value (${object.metadata[field]?.[clash[0]]}), and --overwrite is false`,
        );
      return merge({ metadata: { [field]: values } });
    });
  };
}

/** `kubectl apply -f -` and `kubectl create -f -` with manifests on standard input. */
export function fromManifests(word: "apply" | "create"): (call: Call) => Promise<string> {
  return async (call) => {
    if (flagOf(call, "filename") !== "-") throw notSimulated(`${word} of anything but standard input (-f -)`);
    const documents = loadAll(call.stdin) as readonly (KubeObject | null)[];
    const lines: string[] = [];
    for (const given of documents.flatMap((one) =>
      one?.kind === "List" ? (one["items"] as KubeObject[]) : (one ?? []),
    )) {
      const namespace = given.metadata.namespace ?? call.namespace;
      const object = {
        ...given,
        metadata: { ...given.metadata, ...(namespace !== undefined && { namespace }) },
      };
      const before = await call.cluster.get(kindOf(object), namespace, object.metadata.name);
      if (word === "create") await call.cluster.create(object);
      const after = word === "create" ? undefined : await call.cluster.apply(object);
      const unchanged = before && after?.metadata.resourceVersion === before.metadata.resourceVersion;
      lines.push(
        `${nameOf(object)} ${before && word === "apply" ? (unchanged ? "unchanged" : "configured") : "created"}\n`,
      );
    }
    return lines.join("");
  };
}
