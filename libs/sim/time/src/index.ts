export { cronError, isCronMinute } from "./cron-schedule.ts";
export { createEventLoop, type PumpedEventLoop } from "./event-loop.ts";
export type { EventLoop } from "./event-loop.types.ts";
export { durationError, parseGoDuration } from "./go-duration.ts";
export { rfc3339 } from "./rfc3339.ts";
export { createSteppedClock, type SteppedClock } from "./stepped-clock.ts";
