import { runService } from "@microremed/service-kit";
import { schedulerService } from "./run.ts";

await runService(schedulerService);
