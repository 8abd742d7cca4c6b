import { runService } from "@microremed/service-kit";
import { verifierService } from "./run.ts";

await runService(verifierService());
