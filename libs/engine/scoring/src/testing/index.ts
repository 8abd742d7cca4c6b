export { anEpisode, aReport } from "./a-report.ts";
export { misfits } from "./misfits.ts";
