import type { Bus } from "@microremed/bus";
import { type EpisodeRecord, type Stage, serviceOfStage, stageOut, subjects } from "@microremed/contracts";
import { counted, terminal, tlsFilesFrom, waitFor, wallClock } from "@microremed/core";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { Command } from "commander";
import { connectTo } from "../client.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";

const withinMs = 60_000;

/** `microremed recover`: the work in progress of a backup refers to arenas that have changed since. */
export function recoverCommand(context: Context): Command {
  return new Command("recover")
    .addHelpText(
      "after",
      `
Run it while the schedulers run, and before the injectors, remediators, executors and verifiers start. Every episode that held an
arena gets another trial after its arena has been restored; finished episodes are not run again.

Example:
  NATS_URL=nats://nats:4222 NATS_USER=admin NATS_PASSWORD=... REDIS_URL=redis://admin:...@redis:6379 microremed recover`,
    )
    .action(async () => {
      const count = await restartTrials(context);
      context.terminal.say(`another trial for ${counted(count, "episode")}`);
    });
}

async function restartTrials({ env, log }: Context): Promise<number> {
  const connection = findConnection(env, "admin");
  const url = env["REDIS_URL"];
  if (!connection || !url)
    throw terminal("invalid-config", "recover needs NATS_URL and REDIS_URL, with the admin's passwords");
  await using bus = await connectTo(connection, log);
  const redisTls = tlsFilesFrom("REDIS", env);
  await using state = await connectRedisState({ url, log, ...(redisTls && { tls: redisTls }) });

  const lost = await underWay(state);
  const fences = new Map(lost.map(({ record }) => [record.id, record.arena?.fence]));
  const what = "the schedulers to give up the stages in progress";
  await waitFor({ clock: wallClock, intervalMs: 1_000, timeoutMs: withinMs, what }, async () => {
    // A stored result may bring an episode to its next stage meanwhile: then it is that which is given up.
    const left = (await underWay(state)).filter(
      ({ record }) => fences.get(record.id) === record.arena?.fence,
    );
    for (const { record, stage } of left) await giveUp(bus, record, stage);
    return left.length === 0 ? true : undefined;
  });
  return lost.length;
}

/** As if the stage's command had been dead-lettered: schedulers exclude any worker on it, and try again. */
function giveUp(
  bus: Pick<Bus, "publish">,
  { id, trial, attempt, arena, version }: EpisodeRecord,
  stage: Stage,
): Promise<void> {
  const service = serviceOfStage[stage];
  const messageId = `recover/${id}/${version}`;
  const letter = {
    subject: subjects.command(stage, arena?.cluster ?? ""),
    service,
    messageId,
    deliveries: 0,
    code: "stale-lease",
    reason: "NATS and Redis were restored from a backup; the arena has changed since it was made",
    headers: {},
    body: JSON.stringify({ episodeId: id, trial, attempt }),
    at: Date.now(),
  };
  return bus.publish(subjects.deadLetter(service), letter, { msgId: messageId });
}

async function underWay(state: State): Promise<{ record: EpisodeRecord; stage: Stage }[]> {
  const experiments = await state.experiments.running();
  const ids = (await Promise.all(experiments.map((id) => state.episodes.active(id)))).flat();
  const records = await Promise.all(ids.map((id) => state.episodes.get(id)));
  return records.flatMap((record) => {
    const stage = record && stageOut[record.state];
    return record?.arena && stage ? [{ record, stage }] : [];
  });
}
