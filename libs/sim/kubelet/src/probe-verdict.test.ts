import { testGoldens } from "@microremed/sim-objects/testing";
import type { ProbeSpec } from "./container-spec.ts";
import { type ProbeState, probeVerdict } from "./probe-verdict.ts";

interface Case {
  readonly spec: ProbeSpec;
  readonly verdict: boolean;
  readonly results: readonly boolean[];
}

testGoldens<Case>(import.meta.url, "probe-verdict", ({ spec, verdict, results }) => {
  let state: ProbeState = { verdict, row: { ok: verdict, length: 0 } };
  return results.map((ok) => {
    state = probeVerdict(state, ok, spec);
    return `${ok ? "succeeds" : "fails"}: ${state.verdict ? "good" : "bad"}`;
  });
});
