import { isJsonObject, parseJson } from "@microremed/core";
import type { Environment } from "./environment/environment.types.ts";

/** A feature flag in the file that flagd is given. */
export interface DeclaredFlag {
  /** The workload of flagd. */
  readonly server: string;
  /** Where its file is declared. */
  readonly configMap: string;
  readonly key: string;
  readonly text: string;
  /** The variant that it has by default. */
  readonly right: string;
  readonly variants: readonly string[];
  /** A container that has the file as flagd reads it, and a shell; undefined: there is none. */
  readonly copy?: { readonly container: string; readonly path: string };
}

/** What the system that an environment declares says of a flag; undefined: it has no flagd with this flag. */
export function declaredFlag(environment: Environment, name: string): DeclaredFlag | undefined {
  const { workloads, configMaps } = environment;
  for (const [server, { containers, volumes }] of Object.entries(workloads)) {
    const flagd = containers.find(({ behaviour }) => behaviour.runtime === "flagd");
    if (!flagd) continue;
    for (const volume of Object.values(volumes)) {
      const configMap = volume.type === "configMap" ? volume.name : "";
      for (const [key, text] of Object.entries(configMaps[configMap] ?? {})) {
        const flag = flagsIn(text)[name];
        if (!flag) continue;
        const copy = copyIn(containers, flagd.volumeMounts, key);
        return { server, configMap, key, text, ...flag, ...(copy && { copy }) };
      }
    }
  }
  return undefined;
}

/** The same. Throws where it has none. */
export function flagOf(environment: Environment, name: string): DeclaredFlag {
  const found = declaredFlag(environment, name);
  if (!found) throw new Error(`${environment.name} has no flagd with a flag ${name}`);
  return found;
}

/** JSON pointer to a key of a ConfigMap. */
export const dataPath = (key: string): string => `/data/${key.replaceAll("/", "~1")}`;

type Containers = Environment["workloads"][string]["containers"];

/** A container with a shell that mounts a volume of flagd's own. */
function copyIn(containers: Containers, mounts: Readonly<Record<string, string>>, key: string) {
  const shared = new Set(Object.values(mounts));
  for (const { name, volumeMounts, behaviour } of containers) {
    const mount = Object.keys(volumeMounts).find((path) => shared.has(volumeMounts[path] ?? ""));
    if (mount !== undefined && behaviour.shell !== "none")
      return { container: name, path: `${mount}/${key}` };
  }
  return undefined;
}

/** Flags of a flagd file, by name; none where the text is no such file. */
export function flagsIn(
  text: string,
): Readonly<Record<string, Pick<DeclaredFlag, "right" | "variants"> & { readonly isOn: boolean }>> {
  const read = parseJson(text);
  const flags = isJsonObject(read) && isJsonObject(read["flags"]) ? read["flags"] : {};
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) => {
      if (!isJsonObject(flag) || !isJsonObject(flag["variants"])) return [];
      const { defaultVariant: right, variants, state } = flag;
      if (typeof right !== "string") return [];
      const isOn = state === "ENABLED" && Boolean(variants[right]);
      return [[name, { right, variants: Object.keys(variants), isOn }]];
    }),
  );
}

/** Whether two flagd files have the same flags, and each of them the same value for every request; one that is off is off. */
export function haveSameFlags(some: string, other: string): boolean {
  const [one, two] = [valuesIn(some), valuesIn(other)];
  return one !== undefined && one === two;
}

function valuesIn(text: string): string | undefined {
  const read = parseJson(text);
  if (!isJsonObject(read) || !isJsonObject(read["flags"])) return undefined;
  const values = Object.entries(read["flags"]).map(([name, flag]) => {
    if (!isJsonObject(flag) || !isJsonObject(flag["variants"])) return [name, flag];
    const { state, variants, defaultVariant, targeting } = flag;
    const value = typeof defaultVariant === "string" ? variants[defaultVariant] : undefined;
    const rule = isJsonObject(targeting) && Object.keys(targeting).length === 0 ? undefined : targeting;
    if (state !== "ENABLED" || (!value && rule === undefined)) return [name, "off"];
    return [name, value, rule, rule === undefined ? undefined : variants];
  });
  return JSON.stringify(values.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** The file with another default variant of a flag; all else stays as it is written. */
export function withVariant(text: string, name: string, variant: string): string {
  const word = name.replace(/[^\w]/g, "\\$&");
  const field = new RegExp(`("${word}"\\s*:\\s*\\{[^]*?"defaultVariant"\\s*:\\s*)"[^"]*"`);
  return text.replace(field, (_, before: string) => `${before}${JSON.stringify(variant)}`);
}
