import { oneOf, terminal } from "@microremed/core";
import type { Fault } from "./fault.ts";
import { cpuStress } from "./faults/cpu-stress.ts";
import { diskIo } from "./faults/disk-io.ts";
import { memoryStress } from "./faults/memory-stress.ts";
import { networkDelay } from "./faults/network-delay.ts";
import { networkLoss } from "./faults/network-loss.ts";
import { none } from "./faults/none.ts";
import { podConfigError } from "./faults/pod-config-error.ts";
import { podFail } from "./faults/pod-fail.ts";

/** The fault library: name -> fault, in the order in which people list them. */
export const faults: Readonly<Record<string, Fault>> = {
  "cpu-stress": cpuStress,
  "memory-stress": memoryStress,
  "network-loss": networkLoss,
  "network-delay": networkDelay,
  "disk-io": diskIo,
  "pod-fail": podFail,
  "pod-config-error": podConfigError,
  none,
};

/** Throws `unknown-failure` that lists what there is. */
export function findFault(name: string): Fault {
  const fault = Object.hasOwn(faults, name) ? faults[name] : undefined;
  if (fault) return fault;
  throw terminal(
    "unknown-failure",
    `there is no failure ${JSON.stringify(name)}; known: ${oneOf(Object.keys(faults))}`,
  );
}
