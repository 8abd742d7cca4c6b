import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const pods = "/api/v1/namespaces/default/pods";

test("a pod that has ended answers no ping, one that runs does", async () => {
  using cluster = createLocalCluster({ seed: 1, environments: [] });
  const headers = { "content-type": "application/json", authorization: `Bearer ${cluster.adminToken}` };
  const call = async (method: string, path: string, body?: object) => {
    const answer = await cluster.handle({
      method,
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return JSON.parse(answer.body);
  };
  const run = async (name: string, script: string) => {
    const containers = [{ name: "main", image: "busybox:1.36", command: ["sh", "-c", script] }];
    await call("POST", pods, { metadata: { name }, spec: { restartPolicy: "Never", containers } });
    await cluster.clock.sleep(20_000);
    return (await call("GET", `${pods}/${name}`)).status;
  };
  const [done, failed, alive] = [
    await run("done", "true"),
    await run("failed", "exit 1"),
    await run("alive", "sleep 3600"),
  ];
  expect([done.phase, failed.phase, alive.phase]).toEqual(["Succeeded", "Failed", "Running"]);
  const exitCode = async (name: string, script: string) =>
    (await run(name, script)).containerStatuses[0].state.terminated.exitCode;
  expect(await exitCode("a", `ping -c 1 -W 1 ${alive.podIP}`)).toBe(0);
  expect(await exitCode("b", `ping -c 1 -W 1 ${done.podIP}`)).toBe(1);
  expect(await exitCode("c", `ping -c 1 -W 1 ${failed.podIP}`)).toBe(1);
});
