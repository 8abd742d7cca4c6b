import type { KubeObject } from "@microremed/cluster";
import { isLate } from "@microremed/core";
import { type Call, durationMs, flagOf } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { evaluate } from "../json-path.ts";
import { findObjects, kindOf, nameOf, readSelection } from "../select-objects.ts";

const defaultTimeout = "30s";

/** `kubectl wait --for=condition=X[=Y] | delete | jsonpath={...}=value` */
export async function wait(call: Call): Promise<string> {
  const wanted = flagOf(call, "for") ?? "";
  const isMet = conditionOf(wanted);
  const objects = await findObjects(call, readSelection(call.operands, call.custom));
  if (objects.length === 0) {
    if (wanted === "delete") return "";
    throw new KubectlFailure("error: no matching resources found");
  }
  const timeoutMs = Math.min(durationMs(flagOf(call, "timeout") ?? defaultTimeout), await call.timeLeft());
  const said: string[] = [];
  for (const object of objects) {
    const kind = kindOf(object);
    const { namespace, name, uid } = object.metadata;
    const options = { what: `${wanted} of ${nameOf(object)}`, timeoutMs, kinds: [kind] };
    const met = call.cluster.waitUntil(
      { ...options, ...(namespace !== undefined && { namespace }) },
      (view) => {
        const now = view.list(kind).find(({ metadata }) => metadata.name === name && metadata.uid === uid);
        return isMet(now) ? true : undefined;
      },
    );
    await met.catch((error: unknown) => {
      if (!isLate(error)) throw error;
      throw new KubectlFailure(
        `${said.join("")}error: timed out waiting for the condition on ${nameOf(object)}`,
      );
    });
    said.push(`${nameOf(object)} condition met\n`);
  }
  return said.join("");
}

function conditionOf(wanted: string): (object: KubeObject | undefined) => boolean {
  if (wanted === "delete") return (object) => object === undefined;
  const [, type, value = "True"] = /^condition=([^=]+)(?:=(.+))?$/.exec(wanted) ?? [];
  if (type !== undefined) {
    return (object) =>
      (
        (object?.["status"] as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ??
        []
      ).some(
        (one) =>
          one.type.toLowerCase() === type.toLowerCase() && one.status.toLowerCase() === value.toLowerCase(),
      );
  }
  const [, path = "", expected = ""] = /^jsonpath=['"]?\{([^}]*)\}['"]?=(.+)$/.exec(wanted) ?? [];
  if (path === "") throw notSimulated(`wait --for=${wanted}`);
  return (object) =>
    object !== undefined && evaluate(path, object, object).some((found) => String(found) === expected);
}
