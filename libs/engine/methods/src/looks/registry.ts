import { getEvents } from "./get-events.ts";
import { getLogs } from "./get-logs.ts";
import { getTopology } from "./get-topology.ts";
import type { Look } from "./look.ts";
import { probeSystem } from "./probe-system.ts";
import { queryMetrics } from "./query-metrics.ts";

/** Every tool that looks: one file, one line here. All methods that may look have them all. */
export const looks: readonly Look[] = [probeSystem, getLogs, queryMetrics, getEvents, getTopology];

export const lookNamed = (name: string): Look | undefined => looks.find(({ tool }) => tool.name === name);
