import { expect, test } from "vitest";
import { blindScalers, judgeScalers, scalerOf } from "./index.ts";

const scaler = (...conditions: readonly object[]) =>
  scalerOf({ metadata: { name: "web" }, status: { conditions } } as never);
const active = (status: string, reason: string, message = "missing request for cpu") =>
  scaler({ type: "AbleToScale", status: "True" }, { type: "ScalingActive", status, reason, message });

const working = active("True", "ValidMetricFound");
const blind = active("False", "FailedGetResourceMetric");
const waiting = active("False", "FailedGetResourceMetric", "no metrics returned from resource metrics API");
const disabled = active("False", "ScalingDisabled");

test.each([
  ["one that computes", [working], true],
  ["one that cannot read a metric", [blind], false],
  ["one whose pods have no readings yet", [waiting], false],
  ["one whose workload is scaled away", [disabled], false],
  ["one of which nothing is known yet", [scaler()], false],
  ["one that is gone", [], false],
  ["one more, which computes nothing", [working, blind], false],
])("%s", (_, scalers, passed) => {
  expect(judgeScalers(scalers, 1, 0).passed).toBe(passed);
});

test("an arena that had none needs none", () => {
  expect(judgeScalers([], 0, 0).passed).toBe(true);
});

test("one of which nothing is known is not measured, and no sign", () => {
  expect(judgeScalers([scaler()], 1, 0).measurements).toMatchObject([{ value: null }]);
  expect(blindScalers([scaler()], 0)).toMatchObject({ shows: false });
});

test("the symptom is that it cannot compute, and not that its workload is scaled away or has new pods", () => {
  expect(blindScalers([blind], 0)).toMatchObject({ shows: true });
  expect(blindScalers([disabled], 0)).toMatchObject({ shows: false });
  expect(blindScalers([waiting], 0)).toMatchObject({ shows: false });
  expect(blindScalers([working], 0)).toMatchObject({ shows: false });
});
