import type { ObjectRef } from "../objects/object-ref.ts";
import type { CauseLabels, Finding } from "./evidence.ts";

/** Something acts on a workload from outside: it is the workload that is wrong, and none of its fields. */
export const actsOn = (workload: ObjectRef, labels: CauseLabels): Finding => ({
  object: workload,
  field: "",
  wrong: "",
  right: "",
  workload: workload.name,
  seen: "effect",
  ...labels,
});
