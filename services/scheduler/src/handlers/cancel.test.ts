import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import type { SchedulerDeps } from "../service.types.ts";
import { cancel } from "./cancel.ts";

/** A scheduler with one running experiment and no episodes. */
const deps = {
  log: silentLogger,
  state: {
    experiments: { cancel: async (id: string) => id === "runs" },
    episodes: { active: async () => [], pending: async () => [] },
  },
} as unknown as SchedulerDeps;

test.each([
  ['{"experimentId": "runs"}', { status: "accepted", experimentId: "runs" }],
  [
    '{"experimentId": "over"}',
    {
      status: "rejected",
      issues: [{ path: "experimentId", message: "over is no experiment that runs" }],
    },
  ],
  [
    "{experimentId",
    { status: "rejected", issues: [{ path: "", message: expect.stringMatching(/not JSON/) }] },
  ],
  ["{}", { status: "rejected", issues: [{ path: "experimentId", message: "is missing" }] }],
  [
    '{"experimentId": "runs", "now": true}',
    { status: "rejected", issues: [{ path: "now", message: "there is no such field" }] },
  ],
])("%s is answered", async (text, expected) => {
  const said: unknown[] = [];
  await cancel(deps, text, {
    reply: async (answer) => {
      said.push(answer);
    },
  });
  expect(said).toEqual([expected]);
  await cancel(deps, text, {});
});
