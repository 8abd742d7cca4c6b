import { runService } from "@microremed/service-kit";
import { remediatorService } from "./run.ts";

await runService(remediatorService);
