import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  gradeOfVerdict,
  noUsage,
  playbookTool,
  type Stage,
  type StageBody,
  stageNames,
  type Verdict,
} from "@microremed/contracts";
import { aVerdict } from "@microremed/contracts/testing";
import { createRng } from "@microremed/core";
import { runService, type StageCommand, serveStage } from "@microremed/service-kit";
import { z } from "zod";
import type { LedgerLine } from "./ledger.ts";

/**
 * Replaces the injector, executor, remediator and verifier where a run is about the machinery: every stage takes a
 * few steps, each writing a line in a ledger instead of changing a cluster. Outcomes follow from the episode alone.
 */
const config = {
  LOG_FILE_OF_EFFECTS: z.string().min(1).describe("ledger: one JSON line per effect"),
  STEPS: z.coerce.number().int().min(0).default(3).describe("effects per stage; 0: it answers at once"),
};

const stepMs = 15;
const baseline = { takenAt: 1, values: { "cpu-cores": 0.1 } };
const check = { oracle: "stub", passed: true, reason: "the stub says so", measurements: [] };

const verdict = { ...aVerdict, reason: "drawn" };

function gradedAs(of: Verdict): StageBody<"grade"> {
  return { status: "ok", grade: gradeOfVerdict(of), verdict: of };
}

/** What the stage answers: a quarter of the injections has no effect, half of the playbooks help. */
function bodyOf(stage: Stage, { episodeId, attempt }: StageCommand): unknown {
  const draw = createRng(`${episodeId.slice(episodeId.lastIndexOf(".") + 1)}/${attempt}/${stage}`).float();
  switch (stage) {
    case "prepare":
      return { status: "ok", deployed: false };
    case "inject":
      if (draw < 0.25) return { status: "no-effect", reason: "nothing moved", baseline, verdict: null };
      return { status: "ok", baseline, injection: { injectedAt: 1, expiresAt: null, verdict: check } };
    case "solve":
      if (draw < 0.1) return { status: "nothing", reason: "it only talked", usage: noUsage, probes: 0 };
      return {
        status: "act",
        tool: playbookTool,
        arguments: { playbook: "- hosts: all" },
        usage: noUsage,
        probes: 1,
      };
    case "act":
      return { status: "ok", execution: { status: "ok", exitCode: 0, output: "ok=1", wallSeconds: 1 } };
    case "grade":
      return gradedAs({ ...verdict, recovered: draw < 0.5 });
    case "restore":
      return { status: "ok", how: "reset", damage: null };
    default:
      return stage satisfies never;
  }
}

await runService({
  name: "stub",
  config: config,
  start: async ({ config, bus, state, stack }) => {
    const write = (line: LedgerLine): void =>
      appendFileSync(config.LOG_FILE_OF_EFFECTS, `${JSON.stringify(line)}\n`);
    for (const stage of stageNames) {
      const consumption = await serveStage<Stage>({
        stage,
        bus,
        state,
        shards: ["*"],
        concurrency: 32,
        run: async (command, { messageId, attempt: delivery, assertHeld, signal }) => {
          const { episodeId, trial, attempt, arena } = command;
          const work = `${process.pid}/${messageId}/${delivery}`;
          for (let step = 0; step < config.STEPS; step++) {
            await delay(stepMs, undefined, { signal });
            await assertHeld();
            const key = `${episodeId}/${trial}/${attempt}/${stage}`;
            write({ key, work, step, arena: `${arena.cluster}/${arena.slot}`, fence: arena.fence });
          }
          return bodyOf(stage, command) as StageBody<Stage>;
        },
      });
      stack.use(consumption);
    }
  },
});
