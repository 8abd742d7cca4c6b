import type { Rng } from "@microremed/core";
import type { EventLoop } from "@microremed/sim-time";
import type { ProbeSpec } from "./container-spec.ts";
import type { ProbeResult } from "./probe.ts";
import { probeVerdict } from "./probe-verdict.ts";

export interface ProbeWorkerOptions {
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly name: string;
  readonly spec: ProbeSpec;
  /** What counts until a threshold is reached. */
  readonly initially: boolean;
  /** Whether the probe is to run now; startup probes hold the others back. */
  readonly isDue: () => boolean;
  readonly run: () => ProbeResult;
  readonly onFailure: (message: string) => void;
  /** Called when enough results in a row change the verdict. */
  readonly onChange: (ok: boolean) => void;
  /** Whether it also runs when the kubelet syncs the pod and the verdict is bad, as a probe of readiness does. */
  readonly runsOnSync: boolean;
}

/** Results below this are taken as immediate: a timer for them would change nothing, ms. */
const immediateMs = 10;

/** The kubelet syncs every pod each 60 to 90 s. */
const syncMs = 75_000;

/** Probes one container from its start on, by the kubelet's rules. Returns the way to stop. */
export function startProbeWorker(options: ProbeWorkerOptions): () => void {
  const { loop, rng, name, spec, run, isDue, onFailure, onChange, runsOnSync } = options;
  const periodMs = (spec.periodSeconds ?? 10) * 1000;
  const dueFrom = loop.now() + (spec.initialDelaySeconds ?? 0) * 1000;
  const state = loop.keep({
    verdict: options.initially,
    row: { ok: options.initially, length: 0 },
    stopped: false,
    isRunning: false,
    /** Ways to cancel what comes next. */
    next: { tick: (): void => {}, sync: (): void => {} },
  });

  function take(result: ProbeResult): void {
    if (state.stopped) return;
    if (!result.ok) onFailure(result.message);
    const { verdict, row } = probeVerdict(state, result.ok, spec);
    state.row = row;
    if (verdict === state.verdict) return;
    state.verdict = verdict;
    onChange(result.ok);
    if (!result.ok) awaitSync();
  }

  function probe(why: keyof typeof state.next, goOn: () => void): void {
    const result = run();
    state.isRunning = true;
    const done = (): void => {
      state.isRunning = false;
      take(result);
      if (!state.stopped) goOn();
    };
    if (result.elapsedMs < immediateMs) done();
    else state.next[why] = loop.after(result.elapsedMs, name, done);
  }

  function tick(): void {
    if (state.stopped) return;
    const startedAt = loop.now();
    const again = (ms: number): void => {
      state.next.tick = loop.after(ms, name, tick);
    };
    if (isDue()) probe("tick", () => again(Math.max(0, startedAt + periodMs - loop.now())));
    else again(periodMs);
  }

  function awaitSync(): void {
    if (!runsOnSync || state.stopped) return;
    state.next.sync();
    state.next.sync = loop.after(syncMs, name, sync);
  }

  function sync(): void {
    if (state.stopped || state.verdict) return;
    const again = (): void => {
      if (!state.verdict) awaitSync();
    };
    if (loop.now() < dueFrom || state.isRunning || !isDue()) again();
    else probe("sync", again);
  }

  // The kubelet's ticker runs since the pod was added, so the first tick falls anywhere within a period.
  const phase = rng.int(periodMs);
  state.next.tick = loop.after((spec.initialDelaySeconds ?? 0) * 1000 + phase, name, tick);
  if (!state.verdict) awaitSync();
  return () => {
    state.stopped = true;
    state.next.tick();
    state.next.sync();
  };
}
