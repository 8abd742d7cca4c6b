import type { EpisodeRecord } from "@microremed/contracts";
import { z } from "zod";
import { arenaName } from "../arenas.ts";
import {
  type ArenaEffect,
  staleLease,
  type Transition,
  type Transitioned,
  versionConflict,
} from "../episodes.ts";
import { numbered, packed } from "../outbox.ts";
import { retention } from "../retention.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const Reply = z.array(z.int());

/** One transition, whole or not at all; `text`: the record as it is stored now. */
export async function runTransition(
  redis: RedisLink,
  keys: Keys,
  expectedVersion: number,
  { next, messages, claimMs = 0, effect, checkAt }: Transition,
): Promise<{ record: EpisodeRecord; text: string; transitioned: Transitioned }> {
  const { id, experimentId, state, index } = next;
  const record: EpisodeRecord = { ...next, version: expectedVersion + 1 };
  const text = JSON.stringify(record);
  const scriptKeys = [
    keys.episode(id),
    keys.experiment(experimentId),
    keys.pending(experimentId),
    keys.active(experimentId),
    keys.waiting,
    keys.ticket,
    keys.deadlines,
    keys.leases,
    keys.freeArenas,
    keys.arenas,
    keys.outboxOrder,
    keys.outboxBodies,
    keys.outboxCounter,
    keys.waitingOwners,
  ];
  const reply = await redis.run("transition", scriptKeys, [
    expectedVersion,
    text,
    state,
    id,
    experimentId,
    index,
    checkAt ?? "",
    retention.finishedSeconds,
    ...effectArguments(keys, effect),
    claimMs,
    ...packed(messages),
  ]);
  const [status, ...rest] = Reply.parse(reply);
  if (status !== 1) throw status === 0 ? versionConflict(id, rest[0], expectedVersion) : staleLease(id);
  const [allDone, first = 0] = rest;
  return { record, text, transitioned: { allDone: allDone === 1, messages: numbered(messages, first) } };
}

function effectArguments(keys: Keys, effect: ArenaEffect | undefined): (string | number)[] {
  if (!effect) return ["", "", "", "", ""];
  const { kind, arena } = effect;
  const name = arenaName(arena);
  return [kind, keys.arena(name), name, arena.fence, textOf(effect)];
}

function textOf(effect: ArenaEffect): string | number {
  switch (effect.kind) {
    case "take":
      return effect.leaseMs;
    case "quarantine":
      return effect.reason;
    case "deployed":
      return effect.wants;
    default:
      return "";
  }
}
