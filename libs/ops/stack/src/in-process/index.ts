export {
  type InProcessRange,
  type InProcessRangeOptions,
  type InProcessRunner,
  startInProcessRange,
} from "./start-in-process-range.ts";
