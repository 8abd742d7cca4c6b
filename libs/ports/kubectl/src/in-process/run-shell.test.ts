import type { Cluster, Pod } from "@microremed/cluster";
import { retryable } from "@microremed/core";
import { expect, test } from "vitest";
import { runShell } from "./run-shell.ts";

const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "a" }] },
};

/** A cluster in which a command runs until its time is up. `exec` says when that is, cluster time, ms. */
function clusterWith(exec: Cluster["exec"]): { cluster: Cluster; advance: (ms: number) => void } {
  let now = 0;
  const advance = (ms: number): void => {
    now += ms;
  };
  const clock = { now: async () => now, sleep: async (ms: number) => advance(ms) };
  return {
    cluster: { name: "c", clock, get: async () => pod, list: async () => [pod], exec } as unknown as Cluster,
    advance,
  };
}

const script = "kubectl -n shop exec web -- sleep 3600; echo after";

test("a command that outlasts its script has run out of time: that is no failure of the cluster", async () => {
  const { cluster, advance } = clusterWith(async ({ timeoutMs }) => {
    advance(timeoutMs);
    throw retryable("cluster-unreachable", "no end");
  });
  expect(await runShell({ script, cluster, namespace: "shop", endsAt: 5000 })).toMatchObject({
    how: "timed-out",
  });
});

test("a cluster that cannot be reached before that is one", async () => {
  const { cluster } = clusterWith(async () => {
    throw retryable("cluster-unreachable", "gone");
  });
  await expect(runShell({ script, cluster, namespace: "shop", endsAt: 5000 })).rejects.toThrow("gone");
});

test("a command in the background is not simulated: the shell would wait for it", async () => {
  const { cluster } = clusterWith(async () => {
    throw new Error("nothing is to be run");
  });
  const run = (text: string) => runShell({ script: text, cluster, namespace: "shop", endsAt: 5000 });
  for (const text of [
    "(sleep 200; kubectl delete service web) >/dev/null 2>&1 &",
    "if true; then { sleep 1 & }; fi",
  ])
    await expect(run(text)).rejects.toMatchObject({ code: "not-simulated" });
  expect(await run("echo 'a & b' && echo \"&\" 2>&1")).toMatchObject({ exitCode: 0, stdout: "a & b\n&\n" });
});

test("grep takes all of its patterns", async () => {
  const { cluster } = clusterWith(async () => {
    throw new Error("nothing is to be run");
  });
  const script = "printf 'a\\nb\\nc\\n' | grep -e a -e b";
  expect(await runShell({ script, cluster, namespace: "shop", endsAt: 5000 })).toMatchObject({
    stdout: "a\nb\n",
  });
});

test("a jq program that would do something else than jq does is not simulated, whatever is around it", async () => {
  const { cluster } = clusterWith(async () => {
    throw new Error("nothing is to be run");
  });
  const run = (text: string) => runShell({ script: text, cluster, namespace: "shop", endsAt: 5000 });
  for (const text of [
    "kubectl get deployment web -o json | jq 'del(.status, .metadata.uid)' | kubectl replace -f -",
    `x=$(echo '{}' | jq -c --arg n web '(.c[] | select(.name == $n)).image = "a:1"'); echo "$x"`,
  ])
    await expect(run(text)).rejects.toMatchObject({ code: "not-simulated" });
  const taken = `echo '{"a":1,"b":2,"c":[{"d":1,"e":2}]}' | jq -c 'del(.a) | del(.b) | .c |= map(del(.e))'`;
  expect(await run(taken)).toMatchObject({ exitCode: 0, stdout: '{"c":[{"d":1}]}\n' });
});

test.each([
  [`echo '{}' | jq '[range(900000)|tostring]|map(test("(0|1|2|3|4|5|6|7|8|9)*x"))|length'`],
  [`echo a | awk '{for(i=0;i<99999;i++){gsub(/a/,"b")}}'`],
  [`echo a | sed ':a; s/^/b/; ba'`],
  [`awk 'BEGIN{for(i=0;i<4999;i++) for(j=0;j<4999;j++) x+=i*j; print x}'`],
  [`awk 'function f(n){ return n ? f(n-1)+f(n-1) : 1 } BEGIN{print f(40)}' || echo on`],
  [`seq 1 3000 | sed ':a; s/^/x/; /${"x".repeat(70)}/!ba'`],
])("a script that computes for ever is ended by its bounds: %s", async (long) => {
  const { cluster } = clusterWith(async () => {
    throw retryable("cluster-unreachable", "unused");
  });
  const { stderr } = await runShell({ script: long, cluster, namespace: "shop", endsAt: 5000 });
  expect(stderr).toMatch(/limit|maximum|more than/);
});

test.each([
  ["a: b: c", "error parsing STDIN"],
  ["- a", "error validating"],
  ["5", "error validating"],
  ['{"kind": "Pod"}', "apiVersion not set"],
  ['{"apiVersion": "v1", "kind": "Pod"}', "resource name may not be empty"],
  ['{"apiVersion": "v1", "kind": "Pod", "metadata": 5}', "resource name may not be empty"],
  ['{"kind": "List", "items": 5}', "apiVersion not set"],
  ["&a [*a]", "error"],
  ["!!js/function x", "error parsing STDIN"],
])("kubectl apply of %s fails as kubectl does, and the script goes on", async (manifest, said) => {
  const { cluster } = clusterWith(async () => {
    throw retryable("cluster-unreachable", "unused");
  });
  for (const word of ["apply", "create", "replace"]) {
    const text = `kubectl ${word} -f - <<'END'\n${manifest}\nEND\necho "after $?"`;
    const { stdout, stderr } = await runShell({ script: text, cluster, namespace: "shop", endsAt: 5000 });
    expect(stderr).toContain(said);
    expect(stdout).toContain("after 1");
  }
});
