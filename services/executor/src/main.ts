import { runService } from "@microremed/service-kit";
import { executorService } from "./run.ts";

await runService(executorService());
