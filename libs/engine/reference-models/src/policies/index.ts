import type { ReferenceName } from "@microremed/llm/reference-names";
import type { Policy } from "../policy.ts";
import { expert } from "./expert.ts";
import { learned } from "./learned.ts";
import { noop } from "./noop.ts";
import { random } from "./random.ts";
import { restart } from "./restart.ts";
import { runbook } from "./runbook.ts";

/** Every policy under the name it is asked for by. */
export const policies: Readonly<Record<ReferenceName, Policy>> = {
  "reference/expert": expert,
  "reference/learned": learned,
  "reference/noop": noop,
  "reference/random": random,
  "reference/restart": restart,
  "reference/runbook": runbook,
};
