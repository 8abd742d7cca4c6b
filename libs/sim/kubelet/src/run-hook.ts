import { type Network, sleepSeconds } from "@microremed/sim-machine";
import type { HookSpec } from "./container-spec.ts";
import { type ProbeTarget, runProbe } from "./probe.ts";

/** Nothing ends a postStart hook but the pod's end; a simulated one is taken to fail after this, ms. */
export const postStartLimitMs = 600_000;

/** Runs a lifecycle hook: what came of it, and the cluster time that it takes. */
export function runHook(
  target: ProbeTarget & { readonly network: Network },
  hook: HookSpec,
  limitMs: number,
): { readonly ok: boolean; readonly elapsedMs: number } {
  const sleep = hook.sleep?.seconds ?? sleepSeconds((hook.exec?.command ?? []).join(" "));
  if (sleep !== undefined) return { ok: sleep * 1000 <= limitMs, elapsedMs: Math.min(sleep * 1000, limitMs) };
  const { ok, elapsedMs } = runProbe(target.network, target, { ...hook, timeoutSeconds: limitMs / 1000 });
  return { ok: ok || isUnknownCommand(target, hook), elapsedMs: Math.min(elapsedMs, limitMs) };
}

/** What a command does in an image that no environment describes is not known: it is taken to succeed. */
function isUnknownCommand({ container }: ProbeTarget, hook: HookSpec): boolean {
  return hook.exec !== undefined && container.behaviour === undefined;
}
