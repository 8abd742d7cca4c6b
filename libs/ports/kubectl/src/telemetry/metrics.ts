import type { Question } from "./question.ts";

/** What every container uses now, as the metrics API has it. */
export const metrics: Question = { argv: ["kubectl", "top", "pods", "--containers"] };
