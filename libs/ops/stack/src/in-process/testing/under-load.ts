import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { type LoadPattern, noFailure } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import type { aToolUser } from "./tool-user.ts";

/** One of each shape, each well beyond what the system has without it. */
export const workloads: readonly LoadPattern[] = [
  { shape: "constant", factor: 3 },
  { shape: "bursts", factor: 4, periodSeconds: 60, share: 0.3 },
  { shape: "ramp", factor: 3, at: -60, seconds: 180 },
  { shape: "step", factor: 3, at: 20 },
  { shape: "step", factor: 0.3, at: 20 },
  { shape: "diurnal", factor: 3, periodSeconds: 300 },
];

/** What the requests oracle and all others say of a system under a load, and how many requests its users made. */
export async function verdictUnder(
  { arena, cluster }: Awaited<ReturnType<typeof aToolUser>>,
  catalogue: Catalogue,
  options: { readonly workload: LoadPattern; readonly seed: string; readonly fault?: string },
) {
  const { workload, seed, fault = noFailure } = options;
  const target = arena.environment.load.from ?? arena.environment.targets[0] ?? "";
  const incident = { failure: fault, target, concealment: "neutral", workload, seed } as const;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 });
  const body = await injectFailure(arena, { ...incident, historySeconds: 60, timeoutSeconds: 180 });
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const seconds = fault === noFailure ? 300 : 90;
  const verdict = await verifyRecovery(
    { ...arena, target },
    judgedFault(catalogue, fault),
    { baseline, injection, remedyAt: null },
    seconds,
  );
  const now = await cluster.clock.now();
  const restored = await restoreArena(arena, { ...incident, baseline, timeoutSeconds: 1800 });
  return { verdict, baseline, restored, now };
}
