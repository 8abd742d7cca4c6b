import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const namespace = "/api/v1/namespaces/default";
const probe = (port: number) => ({
  ports: [{ containerPort: port }],
  readinessProbe: { httpGet: { path: "/", port } },
});
const server = "cat > /app.py <<'END'\nfrom http.server import *\nEND\necho ready\npython /app.py";
const containers: Record<string, object> = {
  "written-then-run": { image: "python:3.9-slim", command: ["sh", "-c"], args: [server], ...probe(5001) },
  module: { image: "python:3.12", command: ["python", "-m", "http.server", "8000"], ...probe(8000) },
  waits: { image: "node:20", command: ["sh", "-c", "sleep 40; node server.js"], ...probe(3000) },
  fails: { image: "python:3.12", command: ["sh", "-c", "cat /none && python app.py"], ...probe(8000) },
  sleeps: { image: "busybox:1.36", command: ["sh", "-c", "sleep infinity"], ...probe(8080) },
  store: { image: "docker.m.daocloud.io/library/postgres:16", readinessProbe: { tcpSocket: { port: 5432 } } },
  missing: { image: "nginx:1.27", command: ["python3", "-c", "print(1)"] },
  "missing-in-script": { image: "busybox:1.36", command: ["sh", "-c", "python3 /app.py"] },
  "no-such-file": {
    ...{ image: "python:3.9-slim", command: ["sh", "-c", "exec /opt/app/start.sh"], ...probe(5001) },
  },
  "no-such-file-later": {
    ...{ image: "python:3.9-slim", command: ["sh", "-c", "echo up && exec /opt/start.sh"], ...probe(5001) },
  },
  "own-file": { image: "nginx:1.27", command: ["sh", "-c", "exec /opt/start.sh"], ...probe(5001) },
  prompt: { image: "alpine:3.20" },
  worker: { image: "node:20", command: ["npm", "run", "worker"] },
  inline: { image: "node:20", command: ["node", "-e", "setInterval(work, 1000)"] },
  pages: {
    image: "nginx:1.27",
    command: [
      "sh",
      "-c",
      "cd /usr/share/nginx/html && ls && grep -c Welcome index.html && rm 50x.html && ls",
    ],
  },
};

test("a container of which no environment knows the program is what its command, ports and probes imply", async () => {
  using cluster = createLocalCluster({ seed: 1, environments: [] });
  const headers = { "content-type": "application/json", authorization: `Bearer ${cluster.adminToken}` };
  const call = async (method: string, path: string, body?: object) =>
    await cluster.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  for (const [name, container] of Object.entries(containers)) {
    const spec = { restartPolicy: "Never", containers: [{ name: "main", ...container }] };
    expect((await call("POST", `${namespace}/pods`, { metadata: { name }, spec })).status).toBe(201);
  }
  const passed = async (seconds: number): Promise<Record<string, unknown>> => {
    await cluster.clock.sleep(seconds * 1000);
    const { items } = JSON.parse((await call("GET", `${namespace}/pods`)).body);
    return Object.fromEntries(
      items.map(({ metadata, status }: { metadata: { name: string }; status: PodStatus }) => {
        const [main] = status.containerStatuses ?? [];
        const ended = main?.state.terminated;
        return [metadata.name, ended ? `${ended.reason} ${ended.exitCode}` : main?.ready];
      }),
    );
  };
  expect(await passed(30)).toEqual({
    ...{ "written-then-run": true, module: true, waits: false, fails: "Error 1", sleeps: false, store: true },
    ...{ "no-such-file": "Error 127", "no-such-file-later": "Error 127", "own-file": true },
    ...{ missing: "StartError 128", "missing-in-script": "Error 127", prompt: "Completed 0" },
    ...{ pages: "Completed 0", worker: true, inline: "Error 126" },
  });
  expect((await passed(30))["waits"]).toBe(true);
  expect((await call("GET", `${namespace}/pods/written-then-run/log`)).body).toContain("ready\n");
  expect((await call("GET", `${namespace}/pods/missing-in-script/log`)).body).toBe(
    "sh: python3: not found\n",
  );
  expect((await call("GET", `${namespace}/pods/pages/log`)).body).toBe(
    "50x.html\nindex.html\n2\nindex.html\n",
  );
});

interface PodStatus {
  readonly containerStatuses?: readonly {
    readonly ready: boolean;
    readonly state: { readonly terminated?: { readonly reason: string; readonly exitCode: number } };
  }[];
}
