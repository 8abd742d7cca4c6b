import { changeFinding, changesByObject } from "./changed-workloads.ts";
import type { ChangedField } from "./changes.ts";
import { commonCalls } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "./evidence.ts";

/** A Service as `get_topology` shows it. */
export interface ShownService {
  readonly name: string;
  /** Addresses of pods that are ready. */
  readonly up: number;
  /** Names of the workloads behind it. */
  readonly workloads: readonly string[];
}

/** Evidence in the change log and in what Services lead to now: `isCause` picks the change of a Service that is the fault. */
export const serviceEvidence = (
  labels: CauseLabels,
  isCause: (change: ChangedField, service: ShownService) => boolean,
): Evidence =>
  evidenceBy([commonCalls.changes, commonCalls.topology], ([log = "", topology = ""]) => {
    const services = new Map(shownServices(topology).map((one) => [one.name, one]));
    return changesByObject(log).flatMap((changes) => {
      const [{ object }] = changes;
      const service = object.kind === "Service" ? services.get(object.name) : undefined;
      const found = service && changes.find((change) => isCause(change, service));
      return found ? [changeFinding(found, labels, service.workloads[0])] : [];
    });
  });

/** The Services of an answer of `get_topology`. */
export function shownServices(text: string): ShownService[] {
  const line = /^service (\S+) \(addresses: (\d+) up, \d+ down\) -> ([^;\n]*)/gm;
  return [...text.matchAll(line)].map(([, name = "", up = "0", behind = ""]) => ({
    name,
    up: Number(up),
    workloads: [...behind.matchAll(/(?:deployment|statefulset|daemonset)\/([a-z0-9.-]+)/g)].map(
      ([, workload = ""]) => workload,
    ),
  }));
}
