import { testGoldens } from "@microremed/sim-objects/testing";
import { jobReport } from "./job-status.ts";

type Report = Parameters<typeof jobReport>;

testGoldens<{ readonly job: Report[0]; readonly pods: Report[1]; readonly step: Report[2] }>(
  import.meta.url,
  "job-status",
  ({ job, pods, step }, now) => jobReport(job, pods, step, now),
);
