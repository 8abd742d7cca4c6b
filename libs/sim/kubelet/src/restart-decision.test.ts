import { testGoldens } from "@microremed/sim-objects/testing";
import { createBackOff } from "./back-off.ts";
import type { ContainerSlot } from "./container-slot.ts";
import { crashLoopMessage, restartDecision } from "./restart-decision.ts";
import { aSlot } from "./testing/a-slot.ts";

interface Case {
  readonly slot: Partial<ContainerSlot>;
  readonly podPolicy?: string;
  readonly restartedAt?: readonly number[];
}

testGoldens<Case>(
  import.meta.url,
  "restart-decision",
  ({ slot: fields, podPolicy, restartedAt = [] }, now) => {
    const slot = aSlot(fields);
    for (const at of restartedAt) slot.restarts.next(slot.spec.image, at, at);
    const decision = restartDecision(slot, slot.spec, podPolicy, now);
    const message = crashLoopMessage("main", "web_shop(1)", slot.restarts.delay(slot.spec.image));
    return decision.do === "wait" ? { ...decision, message } : decision;
  },
);

interface Failures {
  readonly firstMs: number;
  readonly maxMs: number;
  /** When the container ended; it is started again at once. */
  readonly failures: readonly number[];
}

testGoldens<Failures>(import.meta.url, "back-off", ({ firstMs, maxMs, failures }, now) => {
  const backOff = createBackOff({ keep: (state) => state }, firstMs, maxMs);
  const delays = failures.map((at) => {
    backOff.next("main", at, at);
    return backOff.delay("main");
  });
  return { delays, leftMs: backOff.left("main", now, now + 1000) };
});
