import type { OracleName } from "@microremed/faults";
import type { Oracle } from "./oracle.ts";
import { config } from "./oracles/config.ts";
import { cpu } from "./oracles/cpu.ts";
import { disk } from "./oracles/disk.ts";
import { latency } from "./oracles/latency.ts";
import { loss } from "./oracles/loss.ts";
import { memory } from "./oracles/memory.ts";
import { ready } from "./oracles/ready.ts";
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
