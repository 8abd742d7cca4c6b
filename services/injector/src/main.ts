import { runService } from "@microremed/service-kit";
import { injectorService } from "./run.ts";

await runService(injectorService());
