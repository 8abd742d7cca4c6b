import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { AppError, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { startClusterHost } from "./start-host.ts";

const namespace = "shop";
const text = "x".repeat(1_000_000);

test("hundreds of large objects at once do not end an embedded cluster", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-test-"));
  const work = { names: ["one"], environments: [], environmentsDir: undefined, catalogueDirs: [] };
  const logFile = join(dir.path, "one.log");
  await using started = await startClusterHost({ ...work, seed: 1, timeScale: 60 }, logFile);
  const [one = { kubeconfig: "", clockUrl: "" }] = started.clusters;
  const connect = async (name: string, kubeconfig: string) => {
    const file = join(dir.path, name);
    await writeFile(file, kubeconfig);
    const entry = { name, kubeconfig: file, arenas: 1, clock: one.clockUrl };
    return await connectCluster(entry, { log: silentLogger });
  };
  await using admin = await connect("admin", one.kubeconfig);
  await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await using agent = await connect("agent", await admin.agentKubeconfig(namespace, { readOnly: false }));

  /** On a busy machine a call may end at its deadline, with the object made or not: then it is asked for again. */
  const make = async (name: string): Promise<string> => {
    const data = { text };
    try {
      await agent.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data });
      return "made";
    } catch (error) {
      if (error instanceof AppError && error.code === "cluster-unreachable") return make(name);
      return (error as Error).message;
    }
  };
  const attempts = Array.from({ length: 300 }, (_, index) => make(`large-${index}`));
  const ends = await Promise.all(attempts);
  // Beside them the cluster's own, with its certificate. A call without an answer may have made one too.
  const made = (await admin.list(kinds.configMap, { namespace })).length - 1;
  expect(made).toBeGreaterThan(20);
  expect(made).toBeLessThan(34);
  expect(ends.filter((end) => /exceeded quota: object-bytes/.test(end)).length).toBeGreaterThan(200);
  expect(ends.filter((end) => end === "made").length).toBeLessThanOrEqual(made);
  expect(await readFile(logFile, "utf8")).not.toMatch(/heap|memory/);
});

test("a cluster that does not start says why", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-test-"));
  const work = { names: ["two"], environments: ["no-such"], environmentsDir: undefined, catalogueDirs: [] };
  const starting = startClusterHost({ ...work, seed: 1, timeScale: 60 }, join(dir.path, "two.log"));
  await expect(starting).rejects.toMatchObject({
    code: "start-failed",
    message: expect.stringMatching(
      /embedded cluster two did not start \(exit code 1: AppError: .*no-such[\s\S]*no-such/,
    ),
  });
});

test("a pattern that would take a shell for ever does not hold up the process", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-test-"));
  const work = { names: ["three"], environments: [], environmentsDir: undefined, catalogueDirs: [] };
  await using host = await startClusterHost({ ...work, seed: 1, timeScale: 60 }, join(dir.path, "three.log"));
  const [three = { kubeconfig: "", clockUrl: "" }] = host.clusters;
  const file = join(dir.path, "admin");
  await writeFile(file, three.kubeconfig);
  const entry = { name: "three", kubeconfig: file, arenas: 1, clock: three.clockUrl };
  await using admin = await connectCluster(entry, { log: silentLogger });
  await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const container = { name: "main", image: "busybox:1.36", command: ["sleep", "1000000"] };
  await admin.apply({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "shell", namespace } },
    ...{ spec: { containers: [container] } },
  });
  await admin.clock.sleep(30_000);
  const subject = "a".repeat(3_000);
  const script = `x=${subject}; case $x in *a*a*a*a*a*a*a*a*a*a*b) echo yes;; *) echo no;; esac`;
  const command = ["sh", "-c", `${script}; echo \${x//*a*a*a*a*a*b/} | wc -c`];
  const place = { namespace, pod: "shell", container: "main" };
  const { stdout } = await admin.exec({ ...place, command, timeoutMs: 60_000, maxBytes: 1_000 });
  expect(stdout).toBe("no\n3001\n");
});
