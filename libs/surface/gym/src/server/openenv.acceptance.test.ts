import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { serveGym } from "./serve-gym.ts";
import { installOpenEnv } from "./testing/install-openenv.ts";

const playMs = 20 * 60_000;

test("OpenEnv's own clients play with the gym: sessions, state, errors, tools over steps and over MCP", async ({
  skip,
}) => {
  const installed = await installOpenEnv();
  if ("why" in installed) return skip(installed.why);
  await using gym = await serveGym({
    ...{
      host: "127.0.0.1",
      port: 0,
      workers: 1,
      most: 8,
      idleMs: 600_000,
      resetSeconds: 600,
      stepSeconds: 600,
    },
    ...{ trainerToken: "the-trainers-own-token", agentToken: undefined, order: { catalogues: [] } },
  });
  const played = await execa(
    installed.python,
    [join(import.meta.dirname, "testing/openenv_client.py"), gym.url],
    {
      ...{ reject: false, timeout: playMs, all: true },
    },
  );
  expect(played.exitCode, played.all).toBe(0);
  const { information, sessions, tools, production } = JSON.parse(played.stdout);
  expect(information).toEqual({ health: "healthy", name: "microremed" });
  expect(sessions).toMatchObject({
    words: expect.stringContaining("Failure report"),
    tools: expect.arrayContaining(["exec_shell", "submit"]),
    seen: expect.stringContaining("time-service"),
    done: [false, false, true, true],
    steps: 2,
    refused: expect.stringContaining("is over: reset begins another"),
  });
  const [first, seen, repaired, idle] = sessions.rewards;
  expect([first, seen]).toEqual([null, 0]);
  expect(repaired).toBeGreaterThan(0.9);
  expect(idle).toBeLessThanOrEqual(0);
  expect(tools).toMatchObject({ after: sessions.tools, called: sessions.seen });
  expect(production).toMatchObject({
    before: ["new_episode"],
    after: ["new_episode", ...sessions.tools],
    called: sessions.seen,
  });
});
