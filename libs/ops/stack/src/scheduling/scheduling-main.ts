import { openService, runService } from "@microremed/service-kit";
import { remediatorService } from "@microremed/service-remediator/run";
import { schedulerService } from "@microremed/service-scheduler/run";
import { openLog } from "../open-log.ts";
import { readBeside } from "./beside.ts";

// The main program of a process with a scheduler and a remediator: both wait more than they compute, and share most of
// their code.
const { variables: own, logFile } = readBeside(process.env);

await runService({
  ...schedulerService,
  start: async (context) => {
    const { stack, signal, interrupt } = context;
    await schedulerService.start(context);
    const variables = { ...context.variables, ...own };
    const log = openLog("remediator", own, logFile);
    stack.use(await openService(remediatorService, { variables, log, signal, interrupt }));
  },
});
