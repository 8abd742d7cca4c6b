import type { ClusterSuite } from "../test-cluster.ts";
import { makeNamespace, namespace, runWorkload } from "./fixtures.ts";

/** Commands in containers, what they print, what they use. */
export function containerTests({ test, create }: ClusterSuite): void {
  test("a command in a container gives both outputs and its exit code", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const pod = await runWorkload(cluster, "web");
    const exec = (command: readonly string[], more = {}) =>
      cluster.exec({ namespace, pod, container: "main", command, timeoutMs: 60_000, ...more });
    expect(await exec(["sh", "-c", "echo out; echo err >&2; exit 3"])).toEqual({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect(await exec(["echo", "a b"])).toEqual({ exitCode: 0, stdout: "a b\n", stderr: "" });
    expect((await exec(["echo", "longer than that"], { maxBytes: 6 })).stdout).toBe("longer");
    await using _hold = await cluster.clock.hold();
    const before = await cluster.clock.now();
    await exec(["sleep", "20"]);
    expect(await cluster.clock.now()).toBeGreaterThanOrEqual(before + 20_000);
  });

  test("a command that does not end in time, or cannot be run, is an error", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const pod = await runWorkload(cluster, "web");
    const exec = (command: readonly string[], where = {}) =>
      cluster.exec({ namespace, pod, container: "main", command, timeoutMs: 1000, ...where });
    await expect(exec(["sleep", "3600"])).rejects.toMatchObject({
      code: "deadline-exceeded",
      message: expect.stringContaining("no end within 1000 ms"),
    });
    await expect(exec(["no-such-program"])).rejects.toMatchObject({ code: "cluster-refused" });
    await expect(exec(["true"], { pod: "nobody" })).rejects.toMatchObject({
      code: "cluster-refused",
      details: { status: 404 },
    });
    await expect(exec(["true"], { container: "other" })).rejects.toMatchObject({ code: "cluster-refused" });
    const stop = new AbortController();
    const running = exec(["sleep", "3600"], { timeoutMs: 3_600_000, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  test("reads what a container printed", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const pod = await runWorkload(cluster, "web");
    await cluster.clock.sleep(2000);
    expect(await cluster.logs({ namespace, pod, container: "main" })).toBe("one\ntwo\n");
    expect(await cluster.logs({ namespace, pod, tailLines: 1 })).toBe("two\n");
    await expect(cluster.logs({ namespace, pod: "nobody" })).rejects.toMatchObject({
      code: "cluster-refused",
      details: { status: 404 },
    });
  });

  test("knows what containers use, once it was measured", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const pod = await runWorkload(cluster, "web");
    await cluster.clock.sleep(60_000);
    expect(await cluster.podMetrics(namespace, "app=web")).toMatchObject([{ pod, container: "main" }]);
    expect(await cluster.podMetrics(namespace, "app=nobody")).toEqual([]);
  });

  test("what no pod answers through the proxy is undefined", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const pod = await runWorkload(cluster, "web");
    const server = { kind: "pods", namespace, name: pod, port: 81 } as const;
    expect(await cluster.fetchText(server, "/")).toBeUndefined();
  });
}
