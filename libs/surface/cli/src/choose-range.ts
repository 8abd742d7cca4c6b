import { RangeKind } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { Option } from "commander";
import type { Context } from "./context.ts";
import { wholeNumber } from "./parse-number.ts";

/** Commands that may start a local range have it. */
export interface RangeOptions {
  /** Undefined: whatever this machine can have. */
  readonly range?: RangeKind;
}

/** `--range processes|in-process`. */
export function rangeOption(): Option {
  return new Option(
    "--range <kind>",
    "kind of local range; processes: services with NATS, Redis and Ansible; in-process: all in one process, which interprets playbooks; default: processes if this machine can run them",
  ).choices(RangeKind.options);
}

/** `--time-scale` of the commands that start embedded clusters. */
export function timeScaleOption(usual: number): Option {
  return new Option(
    "--time-scale <n>",
    "speed of the embedded clusters' clocks during waits and measurements; 1: real time",
  )
    .argParser(wholeNumber(1, 1000))
    .default(usual);
}

/** A kind of local range, and why it is not the usual one. */
export interface ChosenRange {
  readonly kind: RangeKind;
  /** What a range of processes would need that this machine lacks. */
  readonly missing: readonly string[];
}

/** The kind asked for, else processes where they can run. Throws `missing-tool` for a kind that cannot be had. */
export async function chooseRange(env: Context["env"], asked: RangeKind | undefined): Promise<ChosenRange> {
  if (asked === "in-process") return { kind: "in-process", missing: [] };
  const missing = await missingHere(env);
  if (missing.length === 0) return { kind: "processes", missing };
  if (asked === undefined) return { kind: "in-process", missing };
  throw terminal(
    "missing-tool",
    `--range processes cannot run here, missing: ${missing.join(", ")}. \`microremed doctor\` says how to get them; --range in-process needs none`,
    { missing },
  );
}

async function missingHere(env: Context["env"]): Promise<string[]> {
  // Loaded only when there is no range yet: most commands never ask.
  const [{ missingPrograms }, { sandboxTrouble }] = await Promise.all([
    import("@microremed/stack"),
    import("@microremed/sandbox"),
  ]);
  const programs = await missingPrograms();
  const isWaived = env["SANDBOX"] === "none";
  const hasSandbox = isWaived || (await sandboxTrouble(env["PATH"] ?? "")) === undefined;
  return hasSandbox ? programs : [...programs, "a sandbox (bubblewrap)"];
}
