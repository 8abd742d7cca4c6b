import { testGoldens } from "@microremed/sim-objects/testing";
import { type HpaFacts, hpaDecision } from "./hpa-decision.ts";

testGoldens<Omit<HpaFacts, "now">>(import.meta.url, "hpa-decision", (facts, now) =>
  hpaDecision({ ...facts, now }),
);
