import type { KubeObject, Patch } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { load, loadAll } from "js-yaml";
import { type Call, flagOf, isSet } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { findObjects, kindOf, nameOf, notFound, readSelection } from "../select-objects.ts";
import { awaitEnd } from "./delete.ts";

/** Patches every object that a call names; `body` makes each one's patch. */
export async function patchEach(
  call: Call,
  operands: readonly string[],
  word: string,
  patchFor: (object: KubeObject) => Patch,
): Promise<string> {
  const objects = await findObjects(call, readSelection(operands, call.custom));
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
  const oldValue = ({ metadata: { [field]: marks = {} } }: KubeObject, key: string): string | undefined =>
    Object.hasOwn(marks, key) ? marks[key] : undefined;
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
        const old = oldValue(object, key);
        return value !== null && old !== undefined && old !== value;
      });
      if (clash && !isSet(call, "overwrite"))
        throw new KubectlFailure(
          `error: '${clash[0]}' already has a value (${oldValue(object, clash[0])}), and --overwrite is false`,
        );
      return merge({ metadata: { [field]: values } });
    });
  };
}

/** The objects that standard input holds, each in the call's namespace if it names none. */
function objectsIn(call: Call, word: string): readonly KubeObject[] {
  if (flagOf(call, "filename") !== "-") throw notSimulated(`${word} of anything but standard input (-f -)`);
  const documents = documentsIn(call.stdin).filter((one) => one !== null && one !== undefined);
  return documents
    .flatMap((one) => (isList(one) ? one.items : [one]))
    .map((given) => {
      const object = assertObject(given);
      const namespace = object.metadata.namespace ?? call.namespace;
      return { ...object, metadata: { ...object.metadata, ...(namespace !== undefined && { namespace }) } };
    });
}

function documentsIn(text: string): readonly unknown[] {
  try {
    return loadAll(text) as readonly unknown[];
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new KubectlFailure(`error: error parsing STDIN: error converting YAML to JSON: yaml: ${why}`);
  }
}

const isList = (one: unknown): one is { readonly items: readonly unknown[] } =>
  isJsonObject(one) && one["kind"] === "List" && Array.isArray(one["items"]);

/** Throws as kubectl fails on what is no object of Kubernetes. */
function assertObject(given: unknown): KubeObject {
  const invalid = (why: string): KubectlFailure =>
    new KubectlFailure(`error: error validating "STDIN": ${why}`);
  if (!isJsonObject(given)) throw invalid("error validating data: it is no object with a kind");
  const { apiVersion, kind, metadata } = given;
  const missing = Object.entries({ apiVersion, kind }).flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [] : [`${name} not set`],
  );
  if (missing.length > 0) throw invalid(`error validating data: [${missing.join(", ")}]`);
  const { name, generateName, namespace } = isJsonObject(metadata) ? metadata : {};
  if ([name, generateName].every((one) => typeof one !== "string" || one === ""))
    throw new KubectlFailure("error: resource name may not be empty");
  if (namespace !== undefined && typeof namespace !== "string")
    throw invalid("error validating data: metadata.namespace is no text");
  return given as unknown as KubeObject;
}

/** `kubectl apply -f -` and `kubectl create -f -` with manifests on standard input. */
export function fromManifests(word: "apply" | "create"): (call: Call) => Promise<string> {
  return async (call) => {
    const lines: string[] = [];
    for (const object of objectsIn(call, word)) {
      const { namespace, name } = object.metadata;
      const before = await call.cluster.get(kindOf(object), namespace, name);
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

/** `kubectl replace -f -`; with `--force` each object is deleted, its end awaited, and made again. */
export async function replace(call: Call): Promise<string> {
  const lines: string[] = [];
  const isForced = isSet(call, "force");
  for (const object of objectsIn(call, "replace")) {
    const kind = kindOf(object);
    const { namespace, name } = object.metadata;
    const before = await call.cluster.get(kind, namespace, name);
    if (!before && !isForced) throw notFound(kind, name);
    if (!isForced) {
      await call.cluster.replace(object);
      lines.push(`${nameOf(object)} replaced\n`);
      continue;
    }
    if (before) {
      await call.cluster.delete(kind, namespace, name);
      await awaitEnd(call, [{ ...before, ...kind }]);
      lines.push(`${nameOf(object).replace("/", ' "')}" deleted\n`);
    }
    await call.cluster.create(object);
    lines.push(`${nameOf(object)} replaced\n`);
  }
  return lines.join("");
}
