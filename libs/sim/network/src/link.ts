import { inCidr } from "@microremed/kube-rules";
import type { PodSandbox } from "@microremed/sim-machine";

/** One direction between two ends. */
export interface Leg {
  /** Chance that a packet is lost, 0..1. */
  readonly loss: number;
  readonly delayMs: number;
  readonly jitterMs: number;
  /** Bytes per second. */
  readonly rate: number;
}

/** Both directions between a caller and a server. */
export interface Link {
  readonly request: Leg;
  readonly reply: Leg;
}

/** One way between two pods of a cluster, ms; half a round trip on a node's bridge or between nodes of one rack. */
const baseDelayMs = 0.15;

const clear: Leg = { loss: 0, delayMs: baseDelayMs, jitterMs: 0, rate: Number.POSITIVE_INFINITY };
const loopback: Leg = { ...clear, delayMs: 0.02 };

export const clearLink: Link = { request: clear, reply: clear };

/** A pod's link to itself: 0.02 ms each way, nothing lost. */
export const loopbackLink: Link = { request: loopback, reply: loopback };

type End = PodSandbox | "node";

/**
 * What packets meet between `from` and `to`. netem and OUTPUT rules act on egress and see the address that was dialled
 * (a cluster IP before kube-proxy rewrites it); replies go to the caller's own IP.
 */
export function linkBetween(from: End, to: End, dialledIp: string): Link {
  if (from === to) return loopbackLink;
  if (isClear(from) && isClear(to)) return clearLink;
  const callerIp = from === "node" ? "" : from.ip;
  return {
    request: leg(from, to, dialledIp, callerIp),
    reply: leg(to, from, callerIp, dialledIp),
  };
}

function isClear(end: End): boolean {
  return end === "node" || (end.netem.length === 0 && end.drops.length === 0);
}

/** A packet out of `sender`, which sees it go to `toIp`, into `receiver`, which sees it come from `fromIp`. */
function leg(sender: End, receiver: End, toIp: string, fromIp: string): Leg {
  let pass = 1;
  let delayMs = baseDelayMs;
  let jitterMs = 0;
  let rate = Number.POSITIVE_INFINITY;
  if (sender !== "node") {
    for (const netem of sender.netem) {
      if (!matches(netem.toPodIps, toIp)) continue;
      // A corrupted packet fails its checksum: for TCP and ICMP it is a lost one.
      pass *= (1 - netem.loss) * (1 - netem.corrupt);
      delayMs += netem.delayMs;
      jitterMs += netem.jitterMs;
      // Duplicates are dropped by the receiver, but take their share of a limited rate.
      rate = Math.min(rate, (netem.rate ?? Number.POSITIVE_INFINITY) / (1 + netem.duplicate));
    }
    if (sender.drops.some((drop) => drop.direction === "out" && matches(drop.peerPodIps, toIp))) pass = 0;
  }
  if (
    receiver !== "node" &&
    receiver.drops.some((drop) => drop.direction === "in" && matches(drop.peerPodIps, fromIp))
  )
    pass = 0;
  return { loss: 1 - pass, delayMs, jitterMs, rate };
}

function matches(addresses: readonly string[] | undefined, ip: string): boolean {
  return addresses === undefined || addresses.some((address) => inCidr(address, ip));
}
