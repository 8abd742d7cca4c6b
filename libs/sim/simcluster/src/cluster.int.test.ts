import { Agent, request } from "node:https";
import { CoreV1Api, KubeConfig, KubernetesObjectApi, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { environments, renderManifests } from "@microremed/environments";
import { expect, test } from "vitest";
import { type SimCluster, startSimCluster } from "./cluster.ts";

const start = (): Promise<SimCluster> =>
  startSimCluster({
    name: "test",
    seed: 1,
    timeScale: 60,
    environments: [environments.get("online-boutique")],
  });

function configOf(cluster: SimCluster): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(cluster.kubeconfig);
  return config;
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

const askClock = (cluster: SimCluster, method: string, path: string, body?: object): Promise<Answer> =>
  ask(cluster, method, `${new URL(cluster.clockUrl).pathname}${path}`, body);

/** A request with the admin's credentials (or another's), verified against the cluster's own CA. */
function ask(
  cluster: SimCluster,
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Answer> {
  const config = configOf(cluster);
  const agent = new Agent({ ca: Buffer.from(config.getCurrentCluster()?.caData ?? "", "base64") });
  const headers = { authorization: `Bearer ${token ?? config.getCurrentUser()?.token}` };
  return new Promise((resolve, reject) => {
    const sent = request(`${cluster.url}${path}`, { method, agent, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: text }));
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

test("runs online-boutique for an unmodified client within two wall seconds of held time", async () => {
  await using cluster = await start();
  const config = configOf(cluster);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const core = config.makeApiClient(CoreV1Api);
  const release = cluster.loop.hold();
  await objects.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "arena" } });
  for (const manifest of renderManifests(environments.get("online-boutique"), { namespace: "arena" })) {
    await objects.create(manifest as Parameters<typeof objects.create>[0]);
  }
  await expect
    .poll(
      async () => {
        const { items } = await core.listNamespacedPod({ namespace: "arena" });
        const ready = items.filter((pod) =>
          pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
        );
        return ready.length;
      },
      { interval: 50 },
    )
    .toBe(12);
  release();
});

test("serves its clock, and sleeps in cluster time", async () => {
  await using cluster = await start();
  const before = JSON.parse((await askClock(cluster, "GET", "")).body);
  expect(before.timeScale).toBe(60);
  const slept = await askClock(cluster, "POST", "/sleep", { ms: 30_000 });
  expect(JSON.parse(slept.body).now - before.now).toBeGreaterThanOrEqual(30_000);
  expect(cluster.loop.holders).toBe(0);
  expect(await askClock(cluster, "POST", "/sleep", { ms: "long" })).toMatchObject({ status: 400 });
});

test("has the given name, and accepts tokens of users without any rights yet", async () => {
  const user = {
    name: "system:serviceaccount:microremed:verifier",
    uid: "v",
    groups: ["system:authenticated"],
  };
  const hosts = ["embedded-clusters"];
  await using cluster = await startSimCluster({
    name: "named",
    seed: 1,
    timeScale: 60,
    environments: [],
    identity: { hosts },
    users: [{ token: "the-verifiers", user }],
  });
  const { caData = "" } = configOf(cluster).getCurrentCluster() ?? {};
  const ask = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ ca: Buffer.from(caData, "base64"), servername: "embedded-clusters" });
      const headers = { authorization: "Bearer the-verifiers" };
      request(`${cluster.url}${path}`, { agent, headers }, (response) => resolve(response.statusCode ?? 0))
        .on("error", reject)
        .end();
    });
  expect(await ask("/api/v1/namespaces/default/pods")).toBe(403);
  expect(await ask("/microremed/clock")).toBe(403);
  const rbac = configOf(cluster).makeApiClient(RbacAuthorizationV1Api);
  const rules = [{ nonResourceURLs: ["/microremed/clock"], verbs: ["get"] }];
  await rbac.createClusterRole({ body: { metadata: { name: "clock" }, rules } });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "clock" };
  const subjects = [{ kind: "User", name: user.name, apiGroup: "rbac.authorization.k8s.io" }];
  await rbac.createClusterRoleBinding({ body: { metadata: { name: "clock" }, roleRef, subjects } });
  expect(await ask("/microremed/clock")).toBe(200);
  expect(await ask("/microremed/snapshots")).toBe(403);
});

test("holds its clock exactly as long as a client keeps the connection", async () => {
  await using cluster = await start();
  const config = configOf(cluster);
  const agent = new Agent({ ca: Buffer.from(config.getCurrentCluster()?.caData ?? "", "base64") });
  const headers = { authorization: `Bearer ${config.getCurrentUser()?.token}` };
  const held = request(`${cluster.clockUrl}/hold`, { agent, headers });
  const first = await new Promise<Buffer>((resolve, reject) => {
    held.on("response", (response) => response.once("data", resolve).on("error", () => {}));
    held.on("error", reject);
    held.end();
  });
  expect(String(first)).toBe("\n");
  expect(cluster.loop.holders).toBe(1);
  held.destroy();
  await expect.poll(() => cluster.loop.holders).toBe(0);
});

test("runs a one-off command in a pod for real, with its output and its exit code", async () => {
  await using cluster = await start();
  const core = configOf(cluster).makeApiClient(CoreV1Api);
  cluster.loop.hold();
  const command = ["sh", "-c", "echo one; sleep 2; echo two; exit 7"];
  const containers = [{ name: "main", image: "busybox", command }];
  const body = { metadata: { name: "once" }, spec: { restartPolicy: "Never", containers } };
  await core.createNamespacedPod({ namespace: "default", body });
  const read = () => core.readNamespacedPod({ namespace: "default", name: "once" });
  await expect.poll(async () => (await read()).status?.phase).toBe("Failed");
  expect((await read()).status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(7);
  expect(await core.readNamespacedPodLog({ namespace: "default", name: "once" })).toBe("one\ntwo\n");
});

test("lets a scraper read kubelets and programs only with the admin's token", async () => {
  await using cluster = await start();
  const core = configOf(cluster).makeApiClient(CoreV1Api);
  const cadvisor = "/api/v1/nodes/node-1/proxy/metrics/cadvisor";
  expect(await ask(cluster, "GET", cadvisor)).toMatchObject({
    status: 200,
    body: expect.stringContaining("# TYPE machine_cpu_cores gauge\nmachine_cpu_cores 16\n"),
  });
  await expect
    .poll(() => core.readNamespacedServiceAccount({ name: "default", namespace: "default" }))
    .toBeTruthy();
  const body = { spec: { audiences: [], expirationSeconds: 600 } };
  const { status } = await core.createNamespacedServiceAccountToken({
    name: "default",
    namespace: "default",
    body: body as Parameters<typeof core.createNamespacedServiceAccountToken>[0]["body"],
  });
  expect(await ask(cluster, "GET", cadvisor, undefined, status?.token)).toMatchObject({ status: 403 });
  expect(await ask(cluster, "GET", "/api/v1/nodes/node-9/proxy/metrics/cadvisor")).toMatchObject({
    status: 404,
  });
});

test("goes back to a snapshot over HTTP, and makes watchers list again", async () => {
  await using cluster = await start();
  const core = configOf(cluster).makeApiClient(CoreV1Api);
  const map = (name: string) =>
    core.createNamespacedConfigMap({ namespace: "default", body: { metadata: { name } } });
  await map("before");
  expect(await ask(cluster, "POST", "/microremed/snapshots", { name: "clean" })).toMatchObject({
    status: 201,
  });
  await map("after");
  const watched = ask(cluster, "GET", "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=20");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const back = await ask(cluster, "POST", "/microremed/snapshots/restore", { name: "clean" });
  expect(back).toMatchObject({ status: 200 });
  expect((await watched).body).toContain('"code":410');
  const { items } = await core.listNamespacedConfigMap({ namespace: "default" });
  const names = items.map((each) => each.metadata?.name);
  expect(names).toContain("before");
  expect(names).not.toContain("after");
  expect(JSON.parse((await ask(cluster, "GET", "/microremed/snapshots")).body)).toMatchObject({
    restores: 1,
    snapshots: [{ name: "start" }, { name: "clean" }],
  });
  for (const [salt, status] of [
    ["case 7", 200],
    [7, 400],
  ] as const) {
    const salted = await ask(cluster, "POST", "/microremed/snapshots/restore", { name: "start", salt });
    expect(salted).toMatchObject({ status });
  }
  expect(await ask(cluster, "POST", "/microremed/snapshots/restore", { name: "x" })).toMatchObject({
    status: 404,
  });
});

test("is behind its clients' clocks, so that they see no timestamps of the future", async () => {
  await using cluster = await start();
  expect(Date.now() - cluster.loop.now()).toBeGreaterThan(5 * 3_600_000);
});

test("a pod's token file authenticates as its service account until the pod is gone", async () => {
  await using cluster = await start();
  const core = configOf(cluster).makeApiClient(CoreV1Api);
  const container = { name: "main", image: "nginx:1.25" };
  const pod = { metadata: { name: "agent" }, spec: { containers: [container] } };
  const release = cluster.loop.hold();
  await expect
    .poll(() => core.createNamespacedPod({ namespace: "default", body: pod }).then(() => true))
    .toBe(true);
  const sandbox = () => cluster.machine.byPod("default", "agent");
  await expect.poll(() => sandbox()?.containers.size).toBe(1);
  const mount = "/var/run/secrets/kubernetes.io/serviceaccount";
  const volume = sandbox()?.containers.get("main")?.mounts.get(mount) ?? "";
  const files = sandbox()?.volumes.get(volume) ?? new Map<string, Uint8Array>();
  expect([...files.keys()].sort()).toEqual(["ca.crt", "namespace", "token"]);
  const token = Buffer.from(files.get("token") ?? "").toString();
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const whoami = await ask(cluster, "POST", path, review, token);
  expect(JSON.parse(whoami.body).status.userInfo.username).toBe("system:serviceaccount:default:default");
  await core.deleteNamespacedPod({ namespace: "default", name: "agent", gracePeriodSeconds: 0 });
  expect((await ask(cluster, "POST", path, review, token)).status).toBe(401);
  release();
});
