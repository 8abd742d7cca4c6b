import { expect, test } from "vitest";
import { queueLabel } from "./queue-label.ts";

test("a queue's name is a value that Kubernetes takes for a label, whatever a model is called", () => {
  expect(queueLabel("remediator-commands_solve_gpt-4=2e1")).toBe("solve_gpt-4.2e1");
  expect(queueLabel("executor-commands_act_staging")).toBe("act_staging");
  expect(queueLabel("scheduler-experiments_submit")).toBe("scheduler-experiments_submit");
  const awkward = ["reference=2fnoop", "ends-in=2d-", `${"long".repeat(40)}`, `${"x".repeat(51)}----y`];
  for (const token of awkward)
    expect(queueLabel(`remediator-commands_solve_${token}`)).toMatch(
      /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
    );
});
