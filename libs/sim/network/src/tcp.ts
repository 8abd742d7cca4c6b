import type { Rng } from "@microremed/core";
import type { Leg, Link } from "./link.ts";

/** Linux: the first SYN is sent again after 1 s, then the wait doubles (RFC 6298, TCP_TIMEOUT_INIT). */
const synTimeoutMs = 1000;
/** Linux: TCP_RTO_MIN; the retransmission timeout is the round trip plus at least this. */
const minRtoMs = 200;
/** No wait for a retransmission is followed further than this: every caller gave up long before. */
const horizonMs = 120_000;
/** Bytes of a call and of its answer, for links with a limited rate; of the order of a small JSON document. */
const requestBytes = 1_000;
const replyBytes = 4_000;

/** A latency as a fixed part and a mean: fixed + exponential(mean - fixed), both ms. */
export interface Latency {
  readonly fixed: number;
  readonly mean: number;
}

const roundTrip = (link: Link): number => link.request.delayMs + link.reply.delayMs;

/** Loss of a handshake's round: the SYN or the answer to it. */
const handshakeLoss = (link: Link): number => 1 - (1 - link.request.loss) * (1 - link.reply.loss);

/** Expected wait for retransmissions of a packet that is lost with chance `loss`: the sum of loss^k * rto * 2^(k-1). */
export function expectedRetransmission(loss: number, rtoMs: number): number {
  if (loss <= 0) return 0;
  let sum = 0;
  let chance = loss;
  for (let wait = rtoMs, total = rtoMs; total < horizonMs; wait *= 2, total += wait) {
    sum += chance * wait;
    chance *= loss;
  }
  return sum;
}

/** Calls that share a link. */
export interface CallFlow {
  readonly callsPerSecond: number;
}

/** Share of a leg's rate that the calls ask for. */
const demand = (bytes: number, leg: Leg, { callsPerSecond }: CallFlow): number =>
  (bytes * callsPerSecond) / leg.rate;

/** Share of the calls that a link with a limited rate carries; what queues up beyond it is dropped. */
export function carriedShare(link: Link, flow: CallFlow): number {
  const request = demand(requestBytes, link.request, flow);
  const reply = demand(replyBytes, link.reply, flow);
  return 1 / Math.max(1, request, reply);
}

/** Beyond this load a queue is taken to be full: the formula's wait grows without bound towards 1. */
const almostFull = 0.98;

/**
 * Ms that a message takes through a leg: its own bytes, and those before it in the queue. M/D/1 by Pollaczek and
 * Khinchine: the mean wait is service * load / (2 (1 - load)).
 */
function transferMs(bytes: number, leg: Leg, flow: CallFlow): number {
  const own = (1000 * bytes) / leg.rate;
  const load = Math.min(almostFull, demand(bytes, leg, flow));
  return own * (1 + load / (2 * (1 - load)));
}

/**
 * Time that the network takes for one call of a flow. `connects`: with a handshake before it, else on a pooled
 * connection.
 */
export function callLatency(link: Link, connects: boolean, flow: CallFlow = { callsPerSecond: 0 }): Latency {
  if (!passes(link)) return { fixed: Number.POSITIVE_INFINITY, mean: Number.POSITIVE_INFINITY };
  const rtt = roundTrip(link);
  const rto = minRtoMs + rtt;
  const transfer = transferMs(requestBytes, link.request, flow) + transferMs(replyBytes, link.reply, flow);
  const fixed = (connects ? 2 : 1) * rtt + transfer;
  const retransmissions =
    expectedRetransmission(link.request.loss, rto) +
    expectedRetransmission(link.reply.loss, rto) +
    (connects ? expectedRetransmission(handshakeLoss(link), synTimeoutMs) : 0);
  return { fixed, mean: fixed + retransmissions };
}

/** Whether anything gets through at all. */
const passes = (link: Link): boolean => link.request.loss < 1 && link.reply.loss < 1;

const travel = (leg: Leg, rng: Rng): number =>
  Math.max(0, leg.delayMs + (leg.jitterMs > 0 ? (2 * rng.float() - 1) * leg.jitterMs : 0));

/** One handshake, packet by packet: ms until the answer, infinite when none comes within `timeoutMs`. */
export function sampleHandshake(link: Link, timeoutMs: number, rng: Rng): number {
  for (let sentAt = 0, wait = synTimeoutMs; sentAt < timeoutMs; sentAt += wait, wait *= 2) {
    if (rng.float() < link.request.loss || rng.float() < link.reply.loss) continue;
    return sentAt + travel(link.request, rng) + travel(link.reply, rng);
  }
  return Number.POSITIVE_INFINITY;
}

/** One segment on an open connection with its retransmissions: ms until it arrives. */
export function sampleSegment(leg: Leg, rttMs: number, timeoutMs: number, rng: Rng): number {
  for (let sentAt = 0, wait = minRtoMs + rttMs; sentAt < timeoutMs; sentAt += wait, wait *= 2) {
    if (rng.float() >= leg.loss) return sentAt + travel(leg, rng);
  }
  return Number.POSITIVE_INFINITY;
}

/** One packet there and back: ms, or infinite when either way loses it. */
export function sampleEcho(link: Link, rng: Rng): number {
  if (rng.float() < link.request.loss || rng.float() < link.reply.loss) return Number.POSITIVE_INFINITY;
  return travel(link.request, rng) + travel(link.reply, rng);
}
