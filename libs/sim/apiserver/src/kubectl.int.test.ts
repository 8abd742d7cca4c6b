import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

let cluster: TestApi;
beforeAll(async () => {
  cluster = await startTestApi();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const deployment = (env: readonly string[], extra = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  ${extra}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: nginx:1.27
        env: [${env.map((name) => `{name: ${name}, value: "1"}`).join(", ")}]
        resources: {limits: {cpu: 200m}}
`;

async function manifest(name: string, text: string): Promise<string> {
  const path = join(cluster.dir, name);
  await writeFile(path, text);
  return path;
}

const kubectl = (...args: string[]): Promise<string> => cluster.kubectl(...args);

const envNames = (): Promise<string> =>
  kubectl("get", "deploy/web", "-o", "jsonpath={.spec.template.spec.containers[0].env[*].name} ");

test("applies, finds nothing to change, changes, shows and deletes", async () => {
  const first = await manifest("first.yaml", deployment(["A", "B"]));
  const second = await manifest("second.yaml", deployment(["A", "C"], "replicas: 3"));
  expect(await kubectl("apply", "-f", first)).toBe("deployment.apps/web created\nrc=0");
  expect(await kubectl("apply", "-f", first)).toBe("deployment.apps/web unchanged\nrc=0");
  expect(await kubectl("apply", "-f", second, "--dry-run=server")).toContain("configured (server dry run)");
  expect(await envNames()).toBe("A B rc=0");
  expect(await kubectl("apply", "-f", second)).toBe("deployment.apps/web configured\nrc=0");
  expect(await envNames()).toBe("A C rc=0");
  expect(await kubectl("get", "deploy", "-o", "wide")).toMatch(
    /NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +0\/3 +0 +0 +0s +main +nginx:1.27 +app=web\n/,
  );
  expect(await kubectl("set", "image", "deploy/web", "main=nginx:1.28")).toContain("image updated");
  expect(await kubectl("rollout", "restart", "deploy/web")).toContain("restarted");
  expect(await kubectl("patch", "deploy/web", "-p", '{"spec":{"replicas":3}}')).toContain(
    "patched (no change)",
  );
  expect(await kubectl("scale", "deploy/web", "--replicas=1")).toContain("scaled");
  expect(await kubectl("delete", "-f", second)).toContain('deployment.apps "web" deleted');
});

test("refuses in the words of a real server", async () => {
  const unknown = await manifest("unknown.yaml", deployment(["A"], "replica: 3"));
  const wrong = await manifest("wrong.yaml", deployment(["A"]).replace('value: "1"', "value: 1"));
  const limits = await manifest(
    "limits.yaml",
    deployment(["A"]).replace("{limits: {cpu: 200m}}", "{limits: {cpu: 200m}, requests: {cpu: 1}}"),
  );
  expect(await kubectl("apply", "-f", unknown)).toContain('unknown field "spec.replica"');
  expect(await kubectl("apply", "-f", wrong)).toContain(
    "json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string",
  );
  expect(await kubectl("apply", "-f", limits)).toContain(
    'spec.template.spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 200m',
  );
  expect(await kubectl("get", "deploy/nothing")).toBe(
    'Error from server (NotFound): deployments.apps "nothing" not found\nrc=1',
  );
  expect(await kubectl("create", "cm", "c", "-n", "nowhere")).toContain('namespaces "nowhere" not found');
});

test("runs a pod, waits for it, reads its log and executes in it", async () => {
  expect(await kubectl("run", "box", "--image=busybox", "--labels=app=box")).toContain("pod/box created");
  expect(await kubectl("wait", "--for=condition=Ready", "pod/box", "--timeout=10s")).toContain(
    "condition met",
  );
  expect(
    await kubectl("get", "pods", "-l", "app=box", "--field-selector=status.phase=Running", "-o", "name"),
  ).toBe("pod/box\nrc=0");
  expect(await kubectl("logs", "box", "--tail=2")).toBe("two\nbox\nrc=0");
  expect(await cluster.run("kubectl", ["exec", "-i", "box", "--", "cat"], "x".repeat(100_000))).toEqual({
    code: 0,
    stdout: "x".repeat(100_000),
    stderr: "100000 bytes\n",
  });
  expect(await kubectl("exec", "box", "--", "fail")).toContain("exit code 3");
  expect(await kubectl("exec", "box", "--", "missing")).toContain("executable file not found in $PATH");
  expect(await kubectl("exec", "nobox", "--", "x")).toContain('pods "nobox" not found');
  expect(await kubectl("top", "pod")).toMatch(/box +250m +64Mi/);
  expect(await kubectl("delete", "pod", "box")).toContain('pod "box" deleted');
});

test("lets a service account do what its role says, until its token expires", async () => {
  await kubectl("create", "namespace", "shop");
  await kubectl("create", "serviceaccount", "agent", "-n", "shop");
  await kubectl("create", "role", "look", "--verb=get,list", "--resource=pods", "-n", "shop");
  await kubectl("create", "rolebinding", "look", "--role=look", "--serviceaccount=shop:agent", "-n", "shop");
  const { token } = cluster.api.issueServiceAccountToken({ namespace: "shop", name: "agent", seconds: 3600 });
  const as = (...args: string[]): Promise<string> => {
    const server = [
      "--server",
      cluster.api.url,
      "--token",
      token,
      "--certificate-authority",
      join(cluster.dir, "ca.crt"),
    ];
    return kubectl("--kubeconfig=/dev/null", ...server, ...args);
  };
  await writeFile(join(cluster.dir, "ca.crt"), cluster.api.caPem);
  expect(await as("get", "pods", "-n", "shop")).toContain("No resources found in shop namespace.");
  expect(await as("get", "secrets", "-n", "shop")).toContain(
    'secrets is forbidden: User "system:serviceaccount:shop:agent" cannot list resource "secrets" in API group "" in the namespace "shop"',
  );
  expect(await as("auth", "can-i", "delete", "pods", "-n", "shop")).toBe("no\nrc=1");
  cluster.advance(3_601_000);
  expect(await as("get", "pods", "-n", "shop")).toContain("You must be logged in to the server");
  expect(await kubectl("delete", "namespace", "shop")).toContain('namespace "shop" deleted');
});

test("applies on the server side and removes what is no longer applied", async () => {
  const first = await manifest("first.yaml", deployment(["A", "B"]));
  const second = await manifest("second.yaml", deployment(["A"]));
  expect(await kubectl("apply", "--server-side", "-f", first)).toContain("serverside-applied");
  expect(await kubectl("apply", "--server-side", "-f", second)).toContain("serverside-applied");
  expect(await envNames()).toBe("A rc=0");
  expect(
    await kubectl(
      "apply",
      "--server-side",
      "--field-manager=other",
      "-f",
      await manifest("third.yaml", deployment(["A"], "replicas: 1").replace("200m", "300m")),
    ),
  ).toContain('conflict with "kubectl": .spec.template.spec.containers[name="main"].resources.limits.cpu');
});
