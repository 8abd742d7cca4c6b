import type { Workload } from "@microremed/cluster";
import { type Call, flagOf, noSubcommand } from "../call.ts";
import { KubectlFailure } from "../failures.ts";
import { patchEach } from "./change.ts";

/** `kubectl set resources|env|image` */
export function set(call: Call): Promise<string> {
  const [what = "", ...operands] = call.operands;
  if (what === "resources")
    return patchContainers(call, operands, "resource requirements updated", () => ({
      resources: resourcesOf(call),
    }));
  const isPair = (word: string): boolean => word.includes("=") || word.endsWith("-");
  const pairs = operands.filter(isPair);
  const named = operands.filter((word) => !isPair(word));
  if (what === "env")
    return patchContainers(call, named, "env updated", () => ({ env: pairs.map(readVariable) }));
  if (what === "image") {
    const images = new Map(
      pairs.map((pair): [string, string] => [pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
    );
    return patchContainers(call, named, "image updated", (name) => {
      const image = images.get(name) ?? images.get("*");
      return image === undefined ? undefined : { image };
    });
  }
  throw noSubcommand("set", call);
}

function patchContainers(
  call: Call,
  operands: readonly string[],
  word: string,
  change: (container: string) => object | undefined,
): Promise<string> {
  const only = flagOf(call, "container") ?? flagOf(call, "containers");
  return patchEach(call, operands, word, (object) => {
    const names = ((object as Workload).spec?.template?.spec?.containers ?? []).map(({ name }) => name);
    const containers = names
      .filter((name) => only === undefined || only === "*" || name === only)
      .flatMap((name) => {
        const changed = change(name);
        return changed ? [{ name, ...changed }] : [];
      });
    if (containers.length === 0)
      throw new KubectlFailure(`error: unable to find container named ${JSON.stringify(only ?? "")}`);
    return { type: "strategic", body: { spec: { template: { spec: { containers } } } } };
  });
}

function resourcesOf(call: Call): object {
  const read = (name: "limits" | "requests"): object => {
    const text = flagOf(call, name);
    return text === undefined
      ? {}
      : { [name]: Object.fromEntries(text.split(",").map((pair) => pair.split("=", 2))) };
  };
  const resources = { ...read("limits"), ...read("requests") };
  if (Object.keys(resources).length === 0)
    throw new KubectlFailure(
      "error: you must specify an update to requests or limits (in the form of --requests/--limits)",
    );
  return resources;
}

/** `NAME=value`, or `NAME-` to remove it. */
function readVariable(pair: string): object {
  if (!pair.includes("=")) return { name: pair.slice(0, -1), $patch: "delete" };
  const at = pair.indexOf("=");
  return { name: pair.slice(0, at), value: pair.slice(at + 1) };
}
