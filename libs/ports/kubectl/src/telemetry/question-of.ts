import type { KubectlQuestion } from "../probe.types.ts";
import { events } from "./events.ts";
import { logs } from "./logs.ts";
import { metrics } from "./metrics.ts";
import type { Question } from "./question.ts";
import { topology } from "./topology.ts";

/** Every kind of telemetry: one file, one line here. */
export function questionOf(probe: KubectlQuestion): Question {
  switch (probe.kind) {
    case "logs":
      return logs(probe);
    case "events":
      return events(probe);
    case "metrics":
      return metrics;
    case "topology":
      return topology;
    default:
      return probe satisfies never;
  }
}
