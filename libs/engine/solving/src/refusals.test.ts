import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, text, unpairedCalls } from "./testing/turn-fixture.ts";

const seen = calls(["probe_system", { command: "kubectl get pods" }]);
const refused = (status: number) => terminal("model-refused", `the endpoint answered ${status}`, { status });

test.each([400, 405, 413, 422, 451])(
  "an endpoint that answers and then refuses with %s has given no answer, and what it saw counts",
  async (status) => {
    const turn = aTurn([seen, refused(status)], { command: aCommand({ task: "detection" }) });
    const solution = await play("ReAct", turn);
    expect(solution).toMatchObject({
      ...{ status: "nothing", probes: 1, usage: { calls: 1 } },
      reason: expect.stringContaining(`refused to go on: the endpoint answered ${status}`),
    });
    expect(solution).not.toHaveProperty("exhausted");
    expect(unpairedCalls(turn.stored)).toEqual([]);
  },
);

test("a refusal in a later attempt is one, too: the endpoint has answered in this trial", async () => {
  const first = aTurn([text("Hm."), text("Hm!")]);
  expect(await play("ThinkRemed", first)).toMatchObject({ status: "nothing" });
  const command = aCommand({ attempt: 2, feedback: { execution: "it only talked", recovered: false } });
  const second = aTurn([refused(400)], { command, stored: first.stored });
  expect(await play("ThinkRemed", second)).toMatchObject({ status: "nothing", usage: { calls: 0 } });
});

test("a first request that is refused may be of a wrong form: that is an error of the harness", async () => {
  await expect(play("ReAct", aTurn([refused(400)]))).rejects.toMatchObject({ code: "model-refused" });
});

test.each([401, 402, 403, 404])(
  "a key, an account or a model that is not there (%s) is an error of the harness at any time",
  async (status) => {
    const turn = aTurn([seen, refused(status)]);
    await expect(play("ReAct", turn)).rejects.toMatchObject({ code: "model-refused" });
  },
);

test("an answer that is too large is the model's, from the first on", async () => {
  const turn = aTurn([terminal("model-answer-too-large", "the model's answer is larger than 5 bytes")]);
  expect(await play("ReAct", turn)).toMatchObject({
    status: "nothing",
    reason: "the model's answer is larger than 5 bytes",
  });
});
