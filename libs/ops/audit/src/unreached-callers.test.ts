import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";

const { environments, faults } = await builtInCatalogue();
const fault = faults.get("internal-traffic-policy-local");

test("internal-traffic-policy-local is on no workload whose callers get no requests: nothing would fail", () => {
  const environment = environments.get("train-ticket");
  expect(fault.targets(environment)).toEqual([{ kind: "workload", name: "ts-gateway-service" }]);
  expect(fault.ineligible?.(environment, "ts-order-other-service")).toContain("no workload that users reach");
});
