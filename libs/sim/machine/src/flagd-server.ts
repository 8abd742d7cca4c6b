import { isJsonObject } from "@microremed/core";
import { fileAt, locate, normalized } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";

/** A feature flag as flagd's file has it. */
interface Flag {
  readonly state?: unknown;
  readonly variants?: unknown;
  readonly defaultVariant?: unknown;
  readonly targeting?: unknown;
}

/** What a running flagd serves: what its file said when it last could be read as JSON. */
export interface FlagdState {
  readonly type: "flagd";
  readonly path: string;
  /** The file as it was read last; undefined: there is none. */
  readonly source: Uint8Array | undefined;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Why the file was not taken; undefined: it was. */
  readonly error?: string;
}

/** The flagd in a container. It follows its file: what it cannot read changes nothing, without a file it has no flags. */
export function flagdState(sandbox: PodSandbox, container: ContainerRuntime): FlagdState {
  const known = container.datastore?.type === "flagd" ? container.datastore : undefined;
  const path = known?.path ?? sourceOf(container.command);
  const source = fileAt(locate(sandbox, container, path));
  if (known && known.source === source) return known;
  const read = source === undefined ? { flags: {} } : readFlags(Buffer.from(source).toString());
  const state: FlagdState = { type: "flagd", path, source, flags: known?.flags ?? {}, ...read };
  container.datastore = state;
  return state;
}

/** The file of `--uri file:<path>`, or of its short form `-f`; the last that is given. */
function sourceOf(command: readonly string[]): string {
  const given = command.flatMap((word, at) => {
    const [, value] = /^(?:--uri|-f)=(.*)$/.exec(word) ?? [];
    if (value !== undefined) return [value];
    return word === "--uri" || word === "-f" ? [command[at + 1] ?? ""] : [];
  });
  return normalized((given.at(-1) ?? "").replace(/^file:/, ""));
}

function readFlags(text: string): Pick<FlagdState, "flags"> | { readonly error: string } {
  if (text.trim() === "") return { flags: {} };
  try {
    const read: unknown = JSON.parse(text);
    const flags = isJsonObject(read) ? read["flags"] : undefined;
    if (!isJsonObject(flags)) return { error: "schema validation failed: flags is required" };
    return {
      flags: Object.fromEntries(
        Object.entries(flags).flatMap(([name, flag]) => (isJsonObject(flag) ? [[name, flag]] : [])),
      ),
    };
  } catch (thrown) {
    return { error: `parse json: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

/**
 * A flag's value as a number: `true` is 1. A client that gets no value goes on as if it were 0: the flag is not there, it is
 * disabled, or its variant is none. A rule by targeting is followed where it needs to know nothing of the request.
 */
export function flagValue({ flags }: Pick<FlagdState, "flags">, name: string): number {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag?.state !== "ENABLED") return 0;
  const { variants, defaultVariant, targeting } = flag;
  const numberOf = (variant: unknown): number => {
    const value =
      isJsonObject(variants) && typeof variant === "string" && Object.hasOwn(variants, variant)
        ? variants[variant]
        : 0;
    return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : Number(value === true);
  };
  const shares = targeted(targeting);
  if (shares.length === 0) return numberOf(defaultVariant);
  const whole = shares.reduce((sum, { weight }) => sum + weight, 0);
  return shares.reduce((sum, { variant, weight }) => sum + (weight / whole) * numberOf(variant), 0);
}

/** Variants of the rule `fractional`, each with its weight; of a variant by its name that one. */
function targeted(rule: unknown): { readonly variant: unknown; readonly weight: number }[] {
  if (typeof rule === "string") return [{ variant: rule, weight: 1 }];
  const buckets = isJsonObject(rule) ? rule["fractional"] : undefined;
  if (!Array.isArray(buckets)) return [];
  return buckets.flatMap((bucket) => {
    if (!Array.isArray(bucket)) return [];
    const [variant, weight = 1] = bucket;
    return typeof weight === "number" && weight > 0 ? [{ variant, weight }] : [];
  });
}
