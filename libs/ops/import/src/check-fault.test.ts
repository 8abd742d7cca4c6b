import type { Environment, Fault } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { checkFault } from "./check-fault.ts";

const noRedis = (target: string): string => `${target} is no Redis`;

test.each([
  ["of one target", { web: noRedis("web") }, "web is no Redis"],
  ["that all share", { web: noRedis("web"), api: noRedis("api") }, "web is no Redis (2 of 2 targets)"],
  [
    "that most share, and of the one that lacks the least",
    { cache: "cache has no volume", web: noRedis("web"), db: "db waits for web", api: noRedis("api") },
    "web is no Redis (2 of 4 targets); db waits for web (1 of 4 targets)",
  ],
  ["of none that says any", { web: undefined }, ""],
])("why a fault has no target: the reason %s", (_, reasons: Record<string, string | undefined>, why) => {
  const environment = { targets: Object.keys(reasons) } as unknown as Environment;
  const fault = {
    name: "full",
    targets: () => [],
    ineligible: (__: unknown, target: string) => reasons[target],
  };
  expect(checkFault(environment, fault as unknown as Fault)).toEqual({ name: "full", targets: 0, why });
});
