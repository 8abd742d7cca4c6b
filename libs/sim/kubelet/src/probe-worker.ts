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
}

/** Results below this are taken as immediate: a timer for them would change nothing, ms. */
const immediateMs = 10;

/** Probes one container from its start on, by the kubelet's rules. Returns the way to stop. */
export function startProbeWorker(options: ProbeWorkerOptions): () => void {
  const { loop, rng, name, spec, run, isDue, onFailure, onChange } = options;
  const periodMs = (spec.periodSeconds ?? 10) * 1000;
  const state = loop.keep({
    verdict: options.initially,
    row: { ok: options.initially, length: 0 },
    stopped: false,
    cancel: (): void => {},
  });

  function take(result: ProbeResult): void {
    if (state.stopped) return;
    if (!result.ok) onFailure(result.message);
    const { verdict, row } = probeVerdict(state, result.ok, spec);
    state.row = row;
    if (verdict === state.verdict) return;
    state.verdict = verdict;
    onChange(result.ok);
  }

  function tick(): void {
    if (state.stopped) return;
    const startedAt = loop.now();
    if (!isDue()) {
      state.cancel = loop.after(periodMs, name, tick);
      return;
    }
    const result = run();
    const done = (): void => {
      take(result);
      if (!state.stopped)
        state.cancel = loop.after(Math.max(0, startedAt + periodMs - loop.now()), name, tick);
    };
    if (result.elapsedMs < immediateMs) done();
    else state.cancel = loop.after(result.elapsedMs, name, done);
  }

  // The kubelet's ticker runs since the pod was added, so the first tick falls anywhere within a period.
  const phase = rng.int(periodMs);
  state.cancel = loop.after((spec.initialDelaySeconds ?? 0) * 1000 + phase, name, tick);
  return () => {
    state.stopped = true;
    state.cancel();
  };
}
