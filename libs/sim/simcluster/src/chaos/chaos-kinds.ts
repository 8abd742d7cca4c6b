import type { ChaosKind } from "./chaos-kind.types.ts";
import { dnsChaos } from "./kinds/dns-chaos.ts";
import { httpChaos } from "./kinds/http-chaos.ts";
import { ioChaos } from "./kinds/io-chaos.ts";
import { networkChaos } from "./kinds/network-chaos.ts";
import { podChaos } from "./kinds/pod-chaos.ts";
import { stressChaos } from "./kinds/stress-chaos.ts";
import { timeChaos } from "./kinds/time-chaos.ts";

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
