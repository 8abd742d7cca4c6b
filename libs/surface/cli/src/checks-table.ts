import type { TargetCheck } from "@microremed/deploy";
import { plainTable } from "@microremed/scoring";

/** What `cluster prepare` and `doctor --kubeconfig` print. */
export function checksTable(checks: readonly TargetCheck[], width: number): string {
  const rows = checks.map(({ name, ok, found, advice }) => [name, ok ? "ok" : "missing", found, advice]);
  return plainTable([["check", "state", "found", "what to do"], ...rows], width);
}
