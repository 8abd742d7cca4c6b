import type { PlaybookRun } from "@microremed/ansible";
import type { Cluster, Clusters } from "@microremed/cluster";
import type { Execution, ProbeReply } from "@microremed/contracts";
import { retryable, silentLogger, terminal, wallClock } from "@microremed/core";
import { createPolicyRegistry } from "@microremed/policies";
import { expect, test } from "vitest";
import { act } from "./act.ts";
import { probe } from "./probe.ts";
import { watchCluster } from "./watch-cluster.ts";

const arena = { cluster: "embedded-1", slot: 0, namespace: "shop", fence: 1 };
const context = {
  signal: new AbortController().signal,
  log: silentLogger,
  assertHeld: async () => {},
  assertCurrent: async () => {},
  begin: async () => true,
};
const policies = createPolicyRegistry();
const finished: Execution = { status: "ok", exitCode: 0, output: "ok=1", wallSeconds: 1 };
const read: ProbeReply = { status: "ok", exitCode: 0, output: "cart-0" };

const runCommand = () => Promise.reject(new Error("no command may run"));

const aCommand = {
  experimentId: "x",
  episodeId: "x-1",
  trial: 1,
  attempt: 1,
  arena,
  tool: "run_playbook",
  arguments: { playbook: "p" },
  policy: "guarded",
  timeoutSeconds: 7,
};

/** Writes down what is asked of the cluster, in order. */
function recordingCluster(events: string[]): Pick<Clusters, "get" | "entries"> {
  const cluster: Pick<Cluster, "agentKubeconfig" | "clock"> = {
    agentKubeconfig: async (namespace, { readOnly }) => {
      events.push(`credentials for ${namespace}${readOnly ? ", read-only" : ""}`);
      return "kubeconfig";
    },
    clock: {
      ...wallClock,
      hold: async () => {
        events.push("hold");
        return { [Symbol.asyncDispose]: async () => void events.push("let go") };
      },
    },
  };
  return {
    entries: [],
    get: async (name) => {
      if (name !== "embedded-1") throw terminal("unknown-cluster", `no cluster ${name}`);
      return cluster as Cluster;
    },
  };
}

test("a playbook runs with the arena's credentials while the clock is held", async () => {
  const events: string[] = [];
  const runPlaybook = async (run: { kubeconfig: string; timeoutMs: number }) => {
    events.push(`run ${run.kubeconfig} for ${run.timeoutMs} ms`);
    return finished;
  };
  const result = await act(
    aCommand,
    { clusters: recordingCluster(events), policies, runPlaybook, runCommand, isCarried: true },
    context,
  );
  expect(result).toMatchObject({ status: "ok", execution: finished });
  expect(events).toEqual(["credentials for shop", "hold", "run kubeconfig for 7000 ms", "let go"]);
});

test("a playbook that fails while the API server is away is no execution: it is run again when that answers", async () => {
  const away = retryable("cluster-unreachable", "no answer");
  const get = async () => ({
    ...(await recordingCluster([]).get("embedded-1")),
    get: async () => Promise.reject(away),
  });
  const runPlaybook = async (): Promise<Execution> => ({ ...finished, status: "failed", exitCode: 2 });
  const deps = { clusters: { get }, policies, runPlaybook, runCommand, isCarried: true };
  await expect(act(aCommand, deps, context)).rejects.toBe(away);
});

test("a playbook whose connections the API server refused is no execution, whatever it ended with", async () => {
  for (const status of ["ok", "failed"] as const) {
    const runPlaybook = async ({ onUnreachable }: PlaybookRun): Promise<Execution> => {
      onUnreachable?.("10.0.0.1: connect ECONNREFUSED");
      return { ...finished, status };
    };
    const deps = { clusters: recordingCluster([]), policies, runPlaybook, runCommand, isCarried: true };
    await expect(act(aCommand, deps, context)).rejects.toMatchObject({
      code: "cluster-unreachable",
      severity: "terminal",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  }
});

test("a cluster that does not answer, or only late, is noticed while a playbook runs", async () => {
  const away = retryable("cluster-unreachable", "TLS handshake timeout");
  const answers = [async () => null, async () => Promise.reject(away), async () => null];
  const troubleWith = async (get: () => Promise<null>, slowMs: number): Promise<string | undefined> => {
    const asked = Promise.withResolvers<void>();
    let times = 0;
    const answer = (): Promise<null> => {
      times += 1;
      if (times === 3) asked.resolve();
      return get();
    };
    const cluster = { get: answer } as unknown as Cluster;
    await using watch = watchCluster(cluster, "shop", { everyMs: 1, slowMs });
    await asked.promise;
    await watch[Symbol.asyncDispose]();
    return watch.trouble;
  };
  const inTurn = () => (answers.shift() ?? (async () => null))();
  expect(await troubleWith(inTurn, 60_000)).toBe("TLS handshake timeout");
  expect(await troubleWith(async () => null, 60_000)).toBeUndefined();
  expect(await troubleWith(async () => null, 0)).toMatch(/an answer took \d+ s/);
  const refused = async () => Promise.reject(terminal("cluster-refused", "403"));
  expect(await troubleWith(refused, 60_000)).toBeUndefined();
});

test("a playbook is checked against the command's policy, in the arena's namespace", async () => {
  const runPlaybook = async ({ guard }: PlaybookRun) => {
    expect(guard).toMatchObject({
      policyName: "readonly",
      namespace: "shop",
      policy: { changes: "refused" },
    });
    return finished;
  };
  const deps = { clusters: recordingCluster([]), policies, runPlaybook, runCommand, isCarried: true };
  await act({ ...aCommand, policy: "readonly" }, deps, context);
  await expect(act({ ...aCommand, policy: "lax" }, deps, context)).rejects.toMatchObject({
    code: "unknown-policy",
  });
  expect.assertions(2);
});

test("a tool that does not exist, or a call without a playbook, is the harness's fault and never a rejected action", async () => {
  const events: string[] = [];
  const runPlaybook = () => Promise.reject(new Error("nothing may run"));
  const deps = { clusters: recordingCluster(events), policies, runPlaybook, runCommand, isCarried: true };
  const unknown = act({ ...aCommand, tool: "run_shell" }, deps, context);
  await expect(unknown).rejects.toMatchObject({ code: "unknown-entry", severity: "terminal" });
  const empty = act({ ...aCommand, arguments: {} }, deps, context);
  await expect(empty).rejects.toMatchObject({ code: "invalid-message", severity: "terminal" });
  expect(events).toEqual([]);
});

test("a command that was begun before is not run again, and the agent gets to know that it is unknown", async () => {
  const clusters = recordingCluster([]);
  const runPlaybook = () => Promise.reject(new Error("nothing may run"));
  const deps = { clusters, policies, runPlaybook, runCommand, isCarried: true };
  for (const tool of ["exec_shell", "undo_last_action"]) {
    const command = { ...aCommand, tool, arguments: { command: "kubectl delete pod cart-0" } };
    const { execution } = await act(command, deps, { ...context, begin: async () => false });
    expect(execution).toMatchObject({ status: "failed", output: expect.stringMatching(/not known whether/) });
  }
});

test("a command that its policy does not allow is rejected and not run", async () => {
  const clusters = recordingCluster([]);
  const deps = { clusters, policies, runPlaybook: async () => finished, runCommand, isCarried: true };
  const command = { ...aCommand, tool: "exec_shell", arguments: { command: "kubectl delete ns shop" } };
  const { execution } = await act({ ...command, policy: "readonly" }, deps, context);
  expect(execution).toMatchObject({ status: "rejected", output: expect.stringMatching(/policy "readonly"/) });
});

test("the clock is let go of when a run breaks", async () => {
  const events: string[] = [];
  const runPlaybook = () => Promise.reject(terminal("missing-tool", "no ansible"));
  const running = act(
    aCommand,
    { clusters: recordingCluster(events), policies, runPlaybook, runCommand, isCarried: true },
    context,
  );
  await expect(running).rejects.toMatchObject({ code: "missing-tool" });
  expect(events.at(-1)).toBe("let go");
});

const lookers = { runProbe: async () => read, runTelemetry: async () => ({ ...read, output: "telemetry" }) };

test("a probe gets read-only credentials", async () => {
  const events: string[] = [];
  const request = {
    episodeId: "x-1",
    arena,
    probe: { kind: "command" as const, command: "kubectl get pods" },
    timeoutSeconds: 5,
  };
  const reply = await probe(request, { clusters: recordingCluster(events), ...lookers }, context);
  expect(reply).toEqual({ ...read, clusterMs: expect.any(Number) });
  expect(events).toEqual(["credentials for shop, read-only", "hold", "let go"]);
});

test("an unknown cluster is said to be unknown", async () => {
  const request = {
    episodeId: "x-1",
    arena: { ...arena, cluster: "nope" },
    probe: { kind: "command" as const, command: "true" },
    timeoutSeconds: 5,
  };
  const reply = probe(request, { clusters: recordingCluster([]), ...lookers }, context);
  await expect(reply).rejects.toMatchObject({ code: "unknown-cluster" });
});

test("a question to the telemetry gets the same credentials", async () => {
  const events: string[] = [];
  const request = { episodeId: "x-1", arena, probe: { kind: "topology" as const }, timeoutSeconds: 5 };
  const reply = await probe(request, { clusters: recordingCluster(events), ...lookers }, context);
  expect(reply.output).toBe("telemetry");
  expect(events).toEqual(["credentials for shop, read-only", "hold", "let go"]);
});

test("without a Prometheus a query is refused with what can be asked instead", async () => {
  const request = {
    episodeId: "x-1",
    arena,
    probe: { kind: "metrics" as const, promql: "up" },
    timeoutSeconds: 5,
  };
  const reply = await probe(request, { clusters: recordingCluster([]), ...lookers }, context);
  expect(reply).toMatchObject({ status: "refused", output: expect.stringContaining("Without a query") });
});

test("what was read while the arena went to another episode is not given", async () => {
  let checks = 0;
  const assertHeld = async () => {
    if (++checks === 2) throw terminal("stale-lease", "no longer yours");
  };
  const runProbe = async () => read;
  const reply = probe(
    {
      ...{ episodeId: "x-1", arena, timeoutSeconds: 5 },
      probe: { kind: "command", command: "kubectl get pods" },
    },
    { clusters: recordingCluster([]), ...lookers, runProbe },
    { ...context, assertHeld },
  );
  await expect(reply).rejects.toThrow("no longer yours");
  expect(checks).toBe(2);
});
