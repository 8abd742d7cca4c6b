import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import fault from "./index.ts";

test("it is on no workload whose callers get no requests: nothing would fail", () => {
  const environment = environments.get("train-ticket");
  expect(fault.targets(environment)).toEqual([{ kind: "workload", name: "ts-gateway-service" }]);
  expect(fault.ineligible?.(environment, "ts-order-other-service")).toContain("no workload that users reach");
});
