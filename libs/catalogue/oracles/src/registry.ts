import type { Fault, OracleName } from "@microremed/faults";
import type { Oracle } from "./oracle.ts";
import { config } from "./oracles/config.ts";
import { cpu } from "./oracles/cpu.ts";
import { disk } from "./oracles/disk.ts";
import { latency } from "./oracles/latency.ts";
import { loss } from "./oracles/loss.ts";
import { memory } from "./oracles/memory.ts";
import { neighbours } from "./oracles/neighbours.ts";
import { ready } from "./oracles/ready.ts";
import { requests } from "./oracles/requests.ts";
import { serving } from "./oracles/serving.ts";

/** Every oracle by name, the cheap ones first: that is the order in which they are run. */
export const oracles: Readonly<Record<OracleName, Oracle>> = {
  ready,
  config,
  cpu,
  memory,
  serving,
  latency,
  loss,
  disk,
};

/** What every recovery is judged by besides: the rest of the arena, and its users' requests. */
export const generalOracles: readonly Oracle[] = [neighbours, requests];

/** The oracles that judge a fault, in the order of their cost. */
export function oraclesOf(fault: Fault): readonly Oracle[] {
  const own = Object.values(oracles).filter(({ name }) => fault.recovery.some((wanted) => wanted === name));
  return [...own, ...generalOracles];
}
