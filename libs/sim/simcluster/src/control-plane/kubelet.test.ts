import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment, aPod, mainOf } from "../testing/workloads.ts";

const pauseImage = "gcr.io/google-containers/pause:latest";

function aWorld(...systems: string[]): SteppedWorld {
  const world = createSteppedWorld({ systems });
  world.createNamespace();
  return world;
}

const alone = (world: SteppedWorld): KubeObject | undefined => world.get(resources.pods, "alone");
const messages = (world: SteppedWorld, reason: string): readonly unknown[] =>
  world.events(reason).map((event) => event["message"]);

function setImage(world: SteppedWorld, name: string, image: string): void {
  world.store.mutate(resources.pods, "shop", name, (pod) => {
    const containers = pod.spec.containers.map((each: object) => ({ ...each, image }));
    return { ...pod, spec: { ...pod.spec, containers } };
  });
}

test("takes a pod from Pending to Ready with the events that a real one has", () => {
  const world = aWorld();
  world.create(resources.pods, aPod());
  world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  const reasons = world.store.list(resources.events).map((event) => event["reason"]);
  expect([...reasons].sort()).toEqual(["Created", "Pulled", "Pulling", "Scheduled", "Started"]);
  expect(messages(world, "Scheduled")).toEqual([
    `Successfully assigned shop/alone to ${alone(world)?.spec.nodeName}`,
  ]);
  expect(alone(world)?.status).toMatchObject({
    phase: "Running",
    qosClass: "BestEffort",
    podIP: expect.stringMatching(/^10\.244\.\d\.2$/),
    hostIP: expect.stringMatching(/^192\.168\.10\./),
    containerStatuses: [
      { name: "main", ready: true, started: true, restartCount: 0, state: { running: {} } },
    ],
  });
  expect(mainOf(alone(world)).containerID).toMatch(/^containerd:\/\/[0-9a-f]{64}$/);
});

function aKindless(): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "", uid: "", resourceVersion: "", creationTimestamp: "" },
  };
}

test("restarts a crashing container at once, then after 10, 20, 40 ... at most 300 seconds", () => {
  const world = aWorld();
  world.create(resources.pods, aPod({ image: "busybox:1.36", command: ["sh", "-c", "exit 3"] }));
  const starts: number[] = [];
  const seen = new Set<string>();
  world.stepUntil(() => {
    for (const sandbox of world.machine.sandboxes.values()) {
      for (const { id, startedAt } of sandbox.containers.values()) {
        if (seen.has(id)) continue;
        seen.add(id);
        starts.push(startedAt / 1000);
      }
    }
    return starts.length === 9;
  }, 1800);
  const gaps = starts.slice(1).map((at, i) => Math.round(at - (starts[i] ?? 0)));
  for (const [index, wanted] of [0, 10, 20, 40, 80, 160, 300, 300].entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(wanted);
    expect(gaps[index]).toBeLessThanOrEqual(wanted + 3);
  }
  world.loop.advance(30_000);
  expect(mainOf(alone(world))).toMatchObject({
    state: {
      waiting: { reason: "CrashLoopBackOff", message: expect.stringContaining("back-off 5m0s restarting") },
    },
    lastState: { terminated: { exitCode: 3, reason: "Error" } },
    restartCount: 8,
  });
  expect(world.events("BackOff")[0]?.["count"]).toBeGreaterThan(5);
});

test("restarts a container that the kernel killed for its memory, clean", () => {
  const world = aWorld();
  world.create(resources.pods, aPod());
  world.stepUntil(() => alone(world) !== undefined && isReady(alone(world) ?? aKindless()));
  const sandbox = world.machine.byPod("shop", "alone");
  const killed = sandbox?.containers.get("main");
  if (killed) killed.oomKilled = true;
  world.stepUntil(() => mainOf(alone(world)).restartCount === 1 && isReady(alone(world) ?? aKindless()));
  expect(mainOf(alone(world)).lastState.terminated).toMatchObject({ reason: "OOMKilled", exitCode: 137 });
  expect(sandbox?.containers.get("main")?.id).not.toBe(killed?.id);
  expect(world.machine.byPod("shop", "alone")).toBe(sandbox);
});

test("swaps a container's image in place: same pod and address, nothing answers any more, and back", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment());
  world.stepUntil(() => world.pods().some(isReady));
  const [before] = world.pods();
  const name = before?.metadata.name ?? "";
  const pod = () => world.get(resources.pods, name);
  setImage(world, name, pauseImage);
  world.stepUntil(() => mainOf(pod()).restartCount === 1);
  expect(messages(world, "Killing")).toEqual(["Container main definition changed, will be restarted"]);
  expect(pod()?.status.podIP).toBe(before?.status.podIP);
  expect(mainOf(pod()).image).toBe(pauseImage);
  setImage(world, name, "nginx:1.25");
  world.stepUntil(() => mainOf(pod()).restartCount === 2 && isReady(pod() ?? aKindless()));
  expect(pod()?.metadata.uid).toBe(before?.metadata.uid);
});

test("can't start a command that the pause image doesn't have, and backs off", () => {
  const world = aWorld("simple-micro");
  world.apply("simple-micro");
  world.stepUntil(() => world.pods().length === 2 && world.pods().every(isReady));
  const name = world.pods()[0]?.metadata.name ?? "";
  setImage(world, name, pauseImage);
  const main = () =>
    world
      .get(resources.pods, name)
      ?.status.containerStatuses.find((each: { name: string }) => !each.name.includes("sidecar"));
  world.stepUntil(() => main().state.waiting?.reason === "RunContainerError", 45);
  expect(main().state.waiting.message).toContain('exec: "python": executable file not found in $PATH');
  world.stepUntil(() => main().state.waiting?.reason === "CrashLoopBackOff", 20);
  expect(main().lastState.terminated).toMatchObject({ exitCode: 128, reason: "StartError" });
  expect(isReady(world.get(resources.pods, name) ?? aKindless())).toBe(false);
  setImage(world, name, "python:3.9-slim");
  world.stepUntil(() => main().ready, 60);
});

test("ends a pod at its deadline, also one that is set while it runs", () => {
  const world = aWorld();
  world.create(resources.pods, aPod({}));
  world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  world.store.mutate(resources.pods, "shop", alone(world)?.metadata.name ?? "", (pod) => ({
    ...pod,
    spec: { ...pod.spec, activeDeadlineSeconds: 30 },
  }));
  world.stepUntil(() => alone(world)?.status.phase === "Failed", 60);
  expect(alone(world)?.status.reason).toBe("DeadlineExceeded");
});

test("restarts a container whose liveness probe fails", () => {
  const world = aWorld();
  const livenessProbe = { tcpSocket: { port: 81 }, periodSeconds: 5, failureThreshold: 3 };
  world.create(resources.pods, aPod({ container: { livenessProbe } }));
  world.stepUntil(() => mainOf(alone(world))?.restartCount === 1);
  expect(messages(world, "Killing")).toEqual(["Container main failed liveness probe, will be restarted"]);
  expect(messages(world, "Unhealthy")).toContainEqual(
    `Liveness probe failed: dial tcp ${alone(world)?.status.podIP}:81: connect: connection refused`,
  );
});

test("asks an unready container again when it syncs the pod, long before a probe's period is over", () => {
  const world = aWorld();
  const readinessProbe = { tcpSocket: { port: 80 }, initialDelaySeconds: 1, periodSeconds: 6000 };
  world.create(resources.pods, aPod({ container: { readinessProbe } }));
  world.loop.advance(100_000);
  expect(alone(world)).toSatisfy(isReady);
});

test("reports an image that no registry has, and tries again with back-off", () => {
  const world = aWorld();
  world.create(resources.pods, aPod({ image: "redis:nope" }));
  world.stepUntil(() => mainOf(alone(world))?.state.waiting.reason === "ErrImagePull");
  expect(mainOf(alone(world)).state.waiting.message).toContain("docker.io/library/redis:nope: not found");
  world.stepUntil(() => mainOf(alone(world)).state.waiting.reason === "ImagePullBackOff");
  setImage(world, "alone", "redis:alpine");
  world.stepUntil(() => mainOf(alone(world)).ready, 10);
});

test("waits for a config map that a container needs", () => {
  const world = aWorld();
  const env = [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "mode" } } }];
  world.create(resources.pods, aPod({ container: { env } }));
  world.stepUntil(() => mainOf(alone(world))?.state.waiting.reason === "CreateContainerConfigError");
  expect(mainOf(alone(world)).state.waiting.message).toBe('configmap "settings" not found');
  world.create(resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings", namespace: "shop" },
    data: { mode: "quiet" },
  });
  world.stepUntil(() => mainOf(alone(world)).ready);
  expect(world.machine.byPod("shop", "alone")?.containers.get("main")?.env["MODE"]).toBe("quiet");
});

test("lets a deleted pod go within its grace period and out of its endpoints at once", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment());
  world.create(resources.services, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "shop" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  });
  const addresses = () =>
    (world.get(resources.endpoints, "web")?.["subsets"] as { addresses?: unknown[] }[])?.[0]?.addresses;
  world.stepUntil(() => world.pods().some(isReady) && addresses() !== undefined);
  const [pod] = world.pods();
  world.store.delete(resources.pods, "shop", pod?.metadata.name ?? "");
  world.loop.advance(50);
  expect(addresses()).toBeUndefined();
  expect(world.get(resources.pods, pod?.metadata.name ?? "")?.metadata.deletionTimestamp).toBeDefined();
  world.loop.advance(2000);
  expect(world.get(resources.pods, pod?.metadata.name ?? "")).toBeUndefined();
  world.stepUntil(() => addresses()?.length === 1);
});

test("puts right what another client writes into a pod's status, and lets a pod end that is said to have ended", () => {
  const world = aWorld();
  world.create(resources.pods, aPod());
  world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  const right = alone(world)?.status;
  const forge = (status: object): void => {
    const change = (pod: KubeObject) => ({ ...pod, status: { ...pod.status, ...status } });
    world.store.mutate(resources.pods, "shop", "alone", change, { status: true });
  };
  forge({ podIP: "10.99.99.99", podIPs: [{ ip: "10.99.99.99" }] });
  world.loop.advance(5000);
  expect(alone(world)?.status.podIP).toBe("10.99.99.99");
  world.loop.advance(6000);
  expect(alone(world)?.status).toEqual(right);
  const version = alone(world)?.metadata.resourceVersion;
  world.loop.advance(60_000);
  expect(alone(world)?.metadata.resourceVersion).toBe(version);
  forge({ phase: "Failed" });
  world.loop.advance(5000);
  expect(alone(world)?.status.phase).toBe("Failed");
});

test("holds main containers back until init containers are through", () => {
  const world = aWorld("online-boutique");
  world.apply("online-boutique");
  const load = () => world.pods().find((pod) => pod.metadata.labels?.["app"] === "loadgenerator");
  const frontend = () => world.pods().find((pod) => pod.metadata.labels?.["app"] === "frontend");
  world.stepUntil(() => {
    const ready = isReady(load() ?? aKindless());
    if (ready) expect(isReady(frontend() ?? aKindless())).toBe(true);
    return ready;
  });
  expect(load()?.status.initContainerStatuses[0].state.terminated.reason).toBe("Completed");
});

test("finishes pods that are not to be restarted", () => {
  const world = aWorld();
  const options = { image: "busybox:1.36", spec: { restartPolicy: "Never" } };
  world.create(resources.pods, aPod({ ...options, name: "good", command: ["echo", "hi"] }));
  world.create(resources.pods, aPod({ ...options, name: "bad", command: ["sh", "-c", "sleep 2; exit 7"] }));
  world.loop.advance(20_000);
  expect(world.get(resources.pods, "good")?.status.phase).toBe("Succeeded");
  expect(world.get(resources.pods, "bad")?.status.phase).toBe("Failed");
  expect(mainOf(world.get(resources.pods, "bad")).state.terminated.exitCode).toBe(7);
});

test("waits for a preStop hook before it stops a container, within the grace period", () => {
  const world = aWorld();
  const lifecycle = { preStop: { exec: { command: ["sh", "-c", "sleep 12"] } } };
  world.create(resources.pods, aPod({ container: { lifecycle } }));
  world.stepUntil(() => world.pods().some(isReady));
  world.store.delete(resources.pods, "shop", "alone", { gracePeriodSeconds: 30 });
  const seconds = world.stepUntil(() => world.pods().length === 0);
  expect(seconds).toBeGreaterThan(12);
  expect(seconds).toBeLessThan(15);
});

test("kills a container whose postStart hook fails", () => {
  const world = aWorld();
  const lifecycle = { postStart: { httpGet: { port: 9999, path: "/warm-up" } } };
  world.create(resources.pods, aPod({ container: { lifecycle } }));
  world.stepUntil(() => (mainOf(world.pods()[0])?.restartCount ?? 0) > 0);
  expect(world.events("FailedPostStartHook")[0]?.["message"]).toBe("PostStartHook failed");
});

test("starts an ephemeral container in a running pod, once", () => {
  const world = aWorld();
  world.create(resources.pods, aPod({}));
  world.stepUntil(() => world.pods().some(isReady));
  world.store.mutate(resources.pods, "shop", "alone", (pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      ephemeralContainers: [{ name: "debugger", image: "busybox", command: ["sleep", "5"] }],
    },
  }));
  const debug = () => world.pods()[0]?.status.ephemeralContainerStatuses?.[0];
  world.stepUntil(() => debug()?.state.running !== undefined);
  expect(world.pods().some(isReady)).toBe(true);
  world.stepUntil(() => debug()?.state.terminated !== undefined);
  world.loop.advance(60_000);
  expect(debug()).toMatchObject({ restartCount: 0, state: { terminated: { exitCode: 0 } } });
  expect(world.pods()[0]?.status.phase).toBe("Running");
});

test("a main process that does not handle SIGTERM runs until its grace is over, then SIGKILL ends it", () => {
  const world = aWorld();
  const ended = (): unknown => mainOf(alone(world)).state.terminated;
  world.create(resources.pods, aPod({ image: "busybox:1.36", command: ["sleep", "100000"] }));
  world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  world.store.delete(resources.pods, "shop", "alone", {});
  world.loop.advance(28_000);
  expect(mainOf(alone(world)).state.running).toBeDefined();
  world.store.delete(resources.pods, "shop", "alone", { gracePeriodSeconds: 1 });
  world.stepUntil(() => ended() !== undefined);
  expect(ended()).toMatchObject({ exitCode: 137, reason: "Error" });
});

test("a script that traps SIGTERM ends when it is asked to", () => {
  const world = aWorld();
  const command = ["sh", "-c", "trap 'exit 7' TERM; while true; do sleep 1; done"];
  world.create(resources.pods, aPod({ image: "busybox:1.36", command }));
  world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  world.store.delete(resources.pods, "shop", "alone", {});
  world.stepUntil(() => mainOf(alone(world)).state.terminated !== undefined, 5);
  expect(mainOf(alone(world)).state.terminated).toMatchObject({ exitCode: 7 });
});

test("a claim that is made again finds a new volume, and a pod that is, the files of the one before", () => {
  const world = aWorld();
  const withClaim = (): void => {
    const claim = { name: "data", namespace: "shop" };
    if (!world.get(resources.persistentVolumeClaims, "data"))
      world.create(resources.persistentVolumeClaims, {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: claim,
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      });
    const pod = aPod();
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    world.create(resources.pods, { ...pod, spec: { ...pod.spec, volumes } });
    world.stepUntil(() => isReady(alone(world) ?? aKindless()));
  };
  const files = () => world.machine.byPod("shop", "alone")?.volumes.get("data");
  const gone = (name: "pods" | "persistentVolumeClaims", object: string): void => {
    world.store.delete(resources[name], "shop", object);
    world.stepUntil(() => world.get(resources[name], object) === undefined);
  };
  withClaim();
  files()?.set("/kept", new Uint8Array(1));
  gone("pods", "alone");
  withClaim();
  expect([...(files()?.keys() ?? [])]).toEqual(["/kept"]);
  gone("pods", "alone");
  gone("persistentVolumeClaims", "data");
  withClaim();
  expect([...(files()?.keys() ?? [])]).toEqual([]);
});

test("a pod whose pull secret is not there says so, and why its image cannot be pulled", () => {
  const world = aWorld();
  const image = "registry.gitlab.com/platform/cart:v1";
  const pod = aPod({ image });
  world.create(resources.pods, { ...pod, spec: { ...pod.spec, imagePullSecrets: [{ name: "login" }] } });
  world.stepUntil(() => messages(world, "FailedToRetrieveImagePullSecret").length > 0);
  expect(messages(world, "FailedToRetrieveImagePullSecret")[0]).toContain("image pull secrets (login)");
  world.stepUntil(() => mainOf(alone(world))?.state?.waiting?.reason === "ErrImagePull");
  expect(mainOf(alone(world)).state.waiting.message).toContain("403 Forbidden");
});
