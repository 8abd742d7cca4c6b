import { environments } from "@microremed/environments";
import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { logStyleOf } from "./log-styles.ts";

const hotel = environments.get("hotel-reservation");
const at = new Date("2026-01-01T00:00:00.250Z");

function firstLine(workload: string, stage: "starting" | "ready"): string | undefined {
  const behaviour = hotel.workloads[workload]?.containers[0]?.behaviour;
  const style = logStyleOf({ behaviour } as ContainerRuntime);
  const [message = ""] = style?.[stage]({ behaviour } as ContainerRuntime, 1) ?? [];
  return style?.line("info", message, at, { hostname: workload } as PodSandbox);
}

test("programs write as their own loggers do", () => {
  expect(firstLine("geo", "starting")).toBe("2026-01-01T00:00:00Z INF Set global log level: info");
  expect(firstLine("consul", "ready")).toBe("2026-01-01T00:00:00.250Z [INFO]  agent: started state syncer");
  expect(JSON.parse(firstLine("jaeger", "ready") ?? "")).toEqual({
    ...{ level: "info", ts: 1767225600.25, msg: "Query server started" },
  });
  expect(JSON.parse(firstLine("mongodb-geo", "starting") ?? "")).toMatchObject({
    ...{ s: "I", c: "CONTROL", id: 4615611, ctx: "initandlisten", msg: "MongoDB starting" },
    attr: { dbPath: "/data/db", host: "mongodb-geo" },
  });
  expect(firstLine("memcached-rate", "ready")).toBeUndefined();
});
