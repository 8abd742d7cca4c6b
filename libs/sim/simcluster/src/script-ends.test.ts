import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const pods = "/api/v1/namespaces/default/pods";

test("a script that computes too much ends its container alone, and its log says why", async () => {
  using cluster = createLocalCluster({ seed: 1, environments: [] });
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${cluster.adminToken}`,
  };
  const call = async (method: string, path: string, body?: object) =>
    cluster.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  const command = ["sh", "-c", "f() { f; }; sleep 1; f; sleep 1; echo never"];
  const created = await call("POST", pods, {
    metadata: { name: "endless" },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox:1.36", command }] },
  });
  expect(created.status).toBe(201);
  const state = async () => {
    await cluster.clock.sleep(1_000);
    return JSON.parse((await call("GET", `${pods}/endless`)).body).status.containerStatuses?.[0].state;
  };
  let ended = await state();
  for (let tried = 0; tried < 30 && !ended?.terminated; tried++) ended = await state();
  expect(ended.terminated).toMatchObject({ exitCode: 126 });
  expect((await call("GET", `${pods}/endless/log`)).body).toBe(
    "sh: the script was ended: it ran more than 20000 commands\n",
  );
});
