import { defineEnvironment } from "@microremed/environments";
import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const job = (name: string, image: string, command?: readonly string[], args?: readonly string[]) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image, ...(command && { command }), ...(args && { args }) }],
      },
    },
  },
});
const says = ["applied 3 migrations"];
const program = { runtime: "go", startupCpuSeconds: 0.5, idleCpuMillicores: 5, memoryMi: 10 } as const;
const call = { to: "web", protocol: "grpc", timeoutSeconds: 1, retries: 1 } as const;
/** What their models say: all run the image of the web, with words of their own. */
const modelled = {
  slow: {
    containers: { main: { ...program, ends: { afterSeconds: 20, says } } },
    calls: [{ ...call, address: "web:80", perRequest: 4 }],
  },
  code: { containers: { main: { ...program, ends: { exitCode: 4 } } } },
  lost: { containers: { main: program }, calls: [{ ...call, address: "web:81", perRequest: 1 }] },
  spared: {
    containers: { main: program },
    calls: [{ ...call, address: "web:81", perRequest: 1, required: false }],
  },
};
const jobs = [
  ...Object.keys(modelled).map((name) => job(name, "registry.example.org/team/web:1", undefined, [name])),
  job("other-words", "registry.example.org/team/web:1", undefined, ["migrate"]),
  job("unknown", "registry.example.org/team/migrate:1"),
  job("own-program", "registry.example.org/team/migrate:1", ["/opt/migrate", "up"]),
  job("script", "python:3.12", ["python", "manage.py", "migrate"]),
  job("fails", "busybox:1.36", ["sh", "-c", "exit 3"]),
];
const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "registry.example.org/team/web:1", ports: [{ containerPort: 80 }] },
        ],
      },
    },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web" },
  spec: {
    selector: { app: "web" },
    ports: [80, 81].map((port) => ({ name: `port-${port}`, port, targetPort: port })),
  },
};
const environment = defineEnvironment({
  manifests: [web, service, ...jobs],
  model: { name: "team", description: "a system with Jobs", source: "made up", jobs: modelled },
  workload: { entry: "web:80", requestsPerSecond: 1 },
});

test("a Job of which nothing is known completes; what its script or its model says counts", async () => {
  using cluster = createLocalCluster({ seed: 1, environments: [environment] });
  const headers = { authorization: `Bearer ${cluster.adminToken}`, "content-type": "application/json" };
  const call = (method: string, path: string, body?: object) =>
    cluster.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  const core = "/api/v1/namespaces/default";
  expect((await call("POST", `${core}/services`, service)).status).toBe(201);
  expect((await call("POST", "/apis/apps/v1/namespaces/default/deployments", web)).status).toBe(201);
  await cluster.clock.sleep(60_000);
  const path = "/apis/batch/v1/namespaces/default/jobs";
  for (const one of jobs) expect((await call("POST", path, one)).status).toBe(201);
  await cluster.clock.sleep(60_000);
  interface Shown {
    readonly metadata: { readonly name: string };
    readonly status: {
      readonly conditions?: readonly { readonly type: string }[];
      readonly containerStatuses?: readonly {
        readonly state: { readonly terminated: { exitCode: number; startedAt: string; finishedAt: string } };
      }[];
    };
  }
  const list = async (kind: string) => JSON.parse((await call("GET", kind)).body).items as Shown[];
  const ended = (await list(path)).map(({ metadata: { name }, status: { conditions = [] } }) => [
    name,
    conditions.find(({ type }) => ["Complete", "Failed"].includes(type))?.type,
  ]);
  expect(Object.fromEntries(ended)).toEqual({
    ...{ slow: "Complete", code: "Failed", lost: "Failed", spared: "Complete", "other-words": "Complete" },
    ...{ unknown: "Complete", "own-program": "Complete", script: "Complete", fails: "Failed" },
  });
  const pods = (await list(`${core}/pods`)).map(({ metadata: { name }, status }) => ({
    name,
    ...status.containerStatuses?.[0]?.state.terminated,
  }));
  const podOf = (job: string) => pods.find(({ name }) => name.startsWith(`${job}-`));
  const logOf = async (job: string) => (await call("GET", `${core}/pods/${podOf(job)?.name}/log`)).body;
  expect(podOf("code")).toMatchObject({ exitCode: 4 });
  const { startedAt = "", finishedAt = "" } = podOf("slow") ?? {};
  expect((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toSatisfy((s: number) => s >= 20 && s < 24);
  expect(await logOf("slow")).toBe("applied 3 migrations\n");
  expect(await logOf("lost")).toBe("Error: request to web failed: web:81: connection refused\n");
});
