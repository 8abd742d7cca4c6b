import type { MessageContext } from "@microremed/bus";
import { type Logger, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { observeMessages } from "./observe-messages.ts";

/** Levels of the lines for handlers that end with these codes; null: with none. */
async function levelsOf(codes: readonly (string | null)[]): Promise<string[]> {
  const levels: string[] = [];
  const keep = (level: string) => (line: object) =>
    void levels.push(
      `${level} ${(line as { ok: boolean }).ok} ${(line as { error_code?: string }).error_code}`,
    );
  const log: Logger = { ...silentLogger, info: keep("info"), warn: keep("warn"), error: keep("error") };
  const observe = observeMessages(log, createMetrics("tester"));
  for (const code of codes) {
    const fields: Record<string, unknown> = {};
    const context = { subject: "microremed.commands.solve.m", attempt: 1, messageId: "m", fields };
    await observe(async () => {
      if (code !== null) fields["error_code"] = code;
    })({}, context as unknown as MessageContext);
  }
  return levels;
}

test("an arena that is given back is a normal line, whatever else ends a stage with an error is a warning", async () => {
  expect(await levelsOf([null, "arena-given-back", "cluster-unreachable", "no-such-code"])).toEqual([
    "info true undefined",
    "info true arena-given-back",
    "warn false cluster-unreachable",
    "warn false no-such-code",
  ]);
});
