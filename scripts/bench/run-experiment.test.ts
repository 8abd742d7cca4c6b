import type { RangeClient } from "@microremed/range-client";
import { expect, test } from "vitest";
import { runExperiment } from "./run-experiment.ts";

const request = { id: "bench", environment: "shop", model: "reference/noop", failures: ["cpu-stress"] };
const client = (reply: object, types: readonly string[]) =>
  ({
    submit: async () => reply,
    async *events() {
      for (const type of types) yield { type };
    },
  }) as unknown as RangeClient;

test("a refused request is no measurement", async () => {
  const refused = client({ status: "rejected", issues: [{ message: "no such fault" }] }, []);
  await expect(runExperiment(refused, request, 1000)).rejects.toThrow("no such fault");
});

test("an experiment has run when its end was seen", async () => {
  const accepted = (types: readonly string[]) => client({ status: "accepted" }, types);
  await runExperiment(accepted(["episode-finished", "experiment-finished"]), request, 1000);
  await expect(runExperiment(accepted(["episode-finished"]), request, 1000)).rejects.toThrow("ended before");
});
