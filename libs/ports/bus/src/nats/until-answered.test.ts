import { TimeoutError } from "@nats-io/nats-core";
import { expect, test } from "vitest";
import { untilAnswered } from "./until-answered.ts";

test("a request without an answer in time is repeated until it has one", async () => {
  const tries = [new TimeoutError(), new TimeoutError(), undefined];
  const ask = async () => {
    const error = tries.shift();
    if (error) throw error;
    return "answer";
  };
  await expect(untilAnswered(ask)).resolves.toBe("answer");
  expect(tries).toEqual([]);
});

test("it is given up after its time, and at once where the server refuses", async () => {
  let asked = 0;
  const fail = (error: Error) => async () => {
    asked += 1;
    throw error;
  };
  await expect(untilAnswered(fail(new TimeoutError()), -1)).rejects.toThrow(TimeoutError);
  await expect(untilAnswered(fail(new Error("no rights")))).rejects.toThrow("no rights");
  expect(asked).toBe(2);
});
