import type { ChaosKind } from "../model/chaos-kind.types.ts";
import { dnsChaos } from "./dns-chaos.ts";
import { httpChaos } from "./http-chaos.ts";
import { ioChaos } from "./io-chaos.ts";
import { networkChaos } from "./network-chaos.ts";
import { podChaos } from "./pod-chaos.ts";
import { stressChaos } from "./stress-chaos.ts";
import { timeChaos } from "./time-chaos.ts";

/** Every experiment kind that the embedded Chaos Mesh knows. */
export const chaosKinds: readonly ChaosKind[] = [
  stressChaos,
  networkChaos,
  ioChaos,
  podChaos,
  dnsChaos,
  timeChaos,
  httpChaos,
];
