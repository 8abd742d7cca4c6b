import { testGoldens } from "@microremed/sim-objects/testing";
import type { ContainerSlot } from "./container-slot.ts";
import { createImageCatalog } from "./image-catalog.ts";
import { podStatus, type StatusFacts } from "./pod-status.ts";
import { aSlot } from "./testing/a-slot.ts";

interface Case extends Pick<StatusFacts, "pod" | "podIp" | "resize"> {
  readonly terminating?: boolean;
  readonly slots: readonly Partial<ContainerSlot>[];
}

testGoldens<Case>(import.meta.url, "pod-status", ({ slots, ...facts }, now) =>
  podStatus({
    terminating: false,
    ...facts,
    slots: new Map(slots.map((slot) => [slot.name ?? "main", aSlot(slot)])),
    images: createImageCatalog([]),
    hostIp: "192.168.10.11",
    startTime: now - 60_000,
    now,
  }),
);
