import { testGoldens } from "@microremed/sim-objects/testing";
import { type BudgetFacts, budgetStatus } from "./disruption-status.ts";

testGoldens<Omit<BudgetFacts, "now">>(import.meta.url, "disruption-status", (facts, now) =>
  budgetStatus({ ...facts, now }),
);
