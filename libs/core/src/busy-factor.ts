import { availableParallelism, loadavg } from "node:os";

/** A machine that is busier than this will not get the work done: deadlines must end at some time. */
const most = 20;

/**
 * How many times longer than on an idle machine things may take right now, from 1 to 20: tasks that want a core, per
 * core: the higher of the one-minute and the five-minute load average (getloadavg(3)). Multiply a deadline by it each
 * time the deadline is checked, so that a load that begins meanwhile counts. Without load averages (Windows) it is 1.
 */
export function busyFactor(
  load: readonly number[] = loadavg(),
  cores: number = availableParallelism(),
): number {
  const [lastMinute = 0, lastFive = 0] = load;
  return Math.min(most, Math.max(1, lastMinute / cores, lastFive / cores));
}
