import type { Environment } from "./environment/environment.types.ts";
import type { Fault } from "./fault.ts";
import { noSuchObject } from "./ground-truth.ts";
import type { LogKind, Noise } from "./noise.ts";

/** What a change log shows of a fault: kind of the object, and path of the field; no field: it was made. */
export interface ShownObject {
  readonly kind: string;
  readonly field: string;
}

/** What a change log shows of a fault. Undefined: nothing. */
export function shownBy(
  fault: Fault | undefined,
  environment: Environment,
  target: string,
): ShownObject | undefined {
  if (!fault || fault.cause) return undefined;
  const [object] = fault.truth({ environment, target }).objects;
  // What has no field of a workload is inside its program, and a log has no line for what was deleted.
  const isNoLine = object?.field === "" && (isWorkloadKind(object.kind) || object.wrong === noSuchObject);
  return isNoLine ? undefined : object;
}

const isWorkloadKind = (kind: string): boolean => ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);

/** The kinds of the lines that a noise makes in a change log. */
export function logOfNoise({ logs, changes = [], targets }: Noise): readonly LogKind[] {
  if (logs) return logs;
  if (changes.some((field) => field.startsWith("spec.template"))) return ["rollout"];
  return [targets && changes.length > 0 ? "config" : "created"];
}

/** The kinds of the lines that a fault makes in a change log. */
export function logOfFault(fault: Fault, environment: Environment, target: string): readonly LogKind[] {
  const shown = shownBy(fault, environment, target);
  if (!shown) return [];
  if (fault.logs) return fault.logs;
  if (shown.field === "spec.replicas") return ["scale"];
  return [shown.field === "" ? "created" : shown.field.startsWith("spec.template") ? "rollout" : "config"];
}
