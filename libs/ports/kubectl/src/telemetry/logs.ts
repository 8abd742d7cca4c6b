import type { Probe } from "@microremed/contracts";
import type { Question } from "./question.ts";

export function logs({ of, container, previous, lines }: Extract<Probe, { kind: "logs" }>): Question {
  const flags = [`--tail=${lines}`, ...(container ? [`--container=${container}`] : [])];
  return { argv: ["kubectl", "logs", of, ...flags, ...(previous ? ["--previous"] : [])] };
}
