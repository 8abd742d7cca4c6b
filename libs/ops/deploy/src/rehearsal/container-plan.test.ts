import { expect, test } from "vitest";
import type { Container, PodSpec } from "../pods/pod.types.ts";
import { type PodPlace, planContainer } from "./container-plan.ts";

const data: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Secret/login": { PASSWORD: "s3cret" },
  "ConfigMap/range": { HOST: "redis", LEVEL: "info" },
  "ConfigMap/files": { "a.yaml": "a: 1", "b.yaml": "b: 2" },
};
const place: PodPlace = {
  name: "app-0",
  namespace: "sys",
  ip: "127.77.0.9",
  sharesNetwork: false,
  read: (kind, name) => data[`${kind}/${name}`],
};
const plan = (container: Partial<Container>, pod: Partial<PodSpec> = {}, sharesNetwork = false) => {
  const whole: Container = { name: "main", image: "app:1", ...container };
  return planContainer({ containers: [whole], ...pod }, whole, { ...place, sharesNetwork });
};

test("variables come from ConfigMaps, Secrets and fields, and refer to earlier ones", () => {
  const { env, argv } = plan({
    command: ["serve", "--host=$(IP)", "$(UNSET)", "$$(IP)"],
    envFrom: [{ configMapRef: { name: "range" } }, { secretRef: { name: "none", optional: true } }],
    env: [
      { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "login", key: "PASSWORD" } } },
      { name: "URL", value: "redis://app:$(PASSWORD)@$(HOST)" },
      { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      { name: "LEVEL", value: "debug" },
    ],
  });
  expect(env).toEqual({
    HOST: "redis",
    LEVEL: "debug",
    PASSWORD: "s3cret",
    URL: "redis://app:s3cret@redis",
    IP: "127.77.0.9",
  });
  expect(argv).toEqual(["serve", "--host=127.77.0.9", "$(UNSET)", "$(IP)"]);
});

test("what listens on all addresses listens on the pod's own where pods share a network stack", () => {
  const container = {
    command: ["serve", "--host=0.0.0.0", "--allow=10.0.0.0.0", "--block=0.0.0.0/0"],
    env: [{ name: "LISTEN", value: "0.0.0.0:4222" }],
  };
  expect(plan(container)).toMatchObject({ argv: container.command, env: { LISTEN: "0.0.0.0:4222" } });
  expect(plan(container, {}, true)).toMatchObject({
    argv: ["serve", "--host=127.77.0.9", "--allow=10.0.0.0.0", "--block=0.0.0.0/0"],
    env: { LISTEN: "127.77.0.9:4222" },
  });
});

test("mounts hold the files that they would hold, or are volumes", () => {
  const { mounts } = plan(
    {
      volumeMounts: [
        { name: "all", mountPath: "/etc/all", readOnly: true },
        { name: "one", mountPath: "/etc/one", readOnly: true },
        { name: "data", mountPath: "/data" },
      ],
    },
    {
      volumes: [
        { name: "all", configMap: { name: "files" } },
        { name: "one", configMap: { name: "files", items: [{ key: "b.yaml", path: "c.yaml" }] } },
      ],
    },
  );
  expect(mounts.map(({ source }) => source)).toEqual([
    { files: { "a.yaml": "a: 1", "b.yaml": "b: 2" } },
    { files: { "c.yaml": "b: 2" } },
    { volume: "data" },
  ]);
});

test("what the kubelet would not start is not started", () => {
  const secret = (key: string) => ({
    env: [{ name: "X", valueFrom: { secretKeyRef: { name: "login", key } } }],
  });
  expect(() => plan(secret("TOKEN"))).toThrow("login/TOKEN is not there");
  expect(() => plan({ envFrom: [{ configMapRef: { name: "none" } }] })).toThrow("none is not there");
  const mounted = { volumeMounts: [{ name: "v", mountPath: "/v" }] };
  expect(() => plan(mounted, { volumes: [{ name: "v", secret: { secretName: "none" } }] })).toThrow(
    "none is not",
  );
});

test("users and namespaces are those of the security context", () => {
  const restricted = { runAsUser: 10001, runAsGroup: 10002, seccompProfile: { type: "RuntimeDefault" } };
  expect(plan({}, { securityContext: restricted })).toMatchObject({
    user: { uid: 10001, gid: 10002 },
    mayMakeNamespaces: false,
    readOnlyRoot: false,
  });
  const own = { securityContext: { seccompProfile: { type: "Unconfined" }, readOnlyRootFilesystem: true } };
  expect(plan(own, { securityContext: restricted })).toMatchObject({
    mayMakeNamespaces: true,
    readOnlyRoot: true,
  });
});
