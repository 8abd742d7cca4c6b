import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { cronStatus, cronStep, jobOf } from "./cron-step.ts";

interface Case {
  readonly cron: KubeObject;
  readonly jobs: readonly KubeObject[];
}

const names = (jobs: readonly KubeObject[]) => jobs.map((job) => job.metadata.name);

testGoldens<Case>(import.meta.url, "cron-step", ({ cron, jobs }, now) => {
  const { due, replaced, starts, forgotten } = cronStep(cron, jobs, now);
  return {
    due,
    replaced: names(replaced),
    starts: starts && jobOf(cron, now),
    forgotten: names(forgotten),
    status: cronStatus(cron, jobs, due ? now : undefined),
  };
});
