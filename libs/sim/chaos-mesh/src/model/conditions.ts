import type { ChaosRecord } from "./chaos-kind.types.ts";

export interface ChaosCondition {
  readonly type: "Selected" | "AllInjected" | "AllRecovered" | "Paused";
  readonly status: "True" | "False";
}

export const pauseAnnotation = "experiment.chaos-mesh.org/pause";

/** The four conditions, computed from the records and the pause annotation only. */
export function chaosConditions(
  records: readonly ChaosRecord[] | undefined,
  annotations: Readonly<Record<string, string>> | undefined,
): readonly ChaosCondition[] {
  const all = (phase: string): boolean => records?.every((record) => record.phase === phase) ?? false;
  const condition = (type: ChaosCondition["type"], holds: boolean): ChaosCondition => ({
    type,
    status: holds ? "True" : "False",
  });
  return [
    condition("Selected", records !== undefined),
    condition("AllInjected", all("Injected")),
    condition("AllRecovered", all("Not Injected")),
    condition("Paused", annotations?.[pauseAnnotation] === "true"),
  ];
}
