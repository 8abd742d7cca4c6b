import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { silentLogger } from "@microremed/core";
import { runProbe } from "@microremed/kubectl/sandboxed";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaybookRun } from "../runner.types.ts";
import { runPlaybook } from "./run-playbook.ts";
import { startWarmRunner } from "./warm/warm-runner.ts";

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]
users: [{name: u, user: {token: canary-token-1234}}]
contexts: [{name: c, context: {cluster: c, user: u, namespace: shop}}]
current-context: c
`;

const play = (tasks: string): string => `- hosts: k3s_control_plane
  become: true
  gather_facts: false
  tasks:
${tasks.replace(/^/gm, "    ")}
`;
const shell = (command: string): string =>
  play(`- shell: ${JSON.stringify(command)}\n  register: r\n- debug: var=r.stdout_lines`);

/** Programs running anywhere on this machine whose arguments hold the mark. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(mark));
}

const { best: detected, none: plain } = await sandboxesHere();
/** No test of what a playbook does is about its deadline: on a machine with much else to do a module takes half a minute. */
const timeoutMs = 300_000;
const common = { kubeconfig, timeoutMs, log: silentLogger, sandbox: detected };

const runner = startWarmRunner({ log: silentLogger, sandbox: detected });
afterAll(() => runner[Symbol.asyncDispose]());

describe.each([
  { how: "in a process group", sandbox: plain, mark: 1 },
  { how: "in bubblewrap, if there is any", sandbox: detected, mark: 2 },
  { how: "there, by the warm runner", sandbox: detected, warm: runner, mark: 3 },
])("$how", { concurrent: true }, ({ sandbox, warm, mark: id }) => {
  const run = (
    playbook: string,
    options: Pick<PlaybookRun, "signal" | "maxOutput"> & { timeoutMs?: number } = {},
  ) => runPlaybook({ ...common, ...options, playbook, sandbox, warm });

  beforeAll(async () => {
    await warm?.ready;
    process.env["MICROREMED_CANARY"] = "canary-in-the-environment";
    return () => {
      delete process.env["MICROREMED_CANARY"];
    };
  });

  test("runs a playbook with become, facts and templates, and nothing of the harness's environment in sight", async () => {
    const playbook = `
- hosts: k3s_control_plane
  become: true
  tasks:
    - shell: env; id -u; test -n "$KUBECONFIG" && kubectl config view --minify -o jsonpath='{..namespace}'
      register: r
    - debug: var=r.stdout
    - copy: {content: "{{ ansible_python_version }}", dest: /tmp/version}
    - become: true
      become_user: root
      command: cat /tmp/version
    - shell: cat $KUBECONFIG
      register: k
    - debug: var=k.stdout
- hosts: localhost
  become: yes
  gather_facts: no
  tasks: [{ping: }]
`;
    const execution = await run(playbook);
    expect(execution.output).toMatch(/k3s-control-plane +: ok=\d+ .*failed=0/);
    expect(execution.output).toMatch(/localhost +: ok=1 /);
    expect(execution).toMatchObject({ status: "ok", exitCode: 0 });
    expect(execution.output).toContain("shop");
    expect(execution.output).not.toContain("canary");
    expect(execution.output).toContain("token: [secret]");
    expect(execution.wallSeconds).toBeGreaterThan(0.1);
  });

  test("distinguishes a failing task from a rejected text, and Ansible's own errors are failures", async () => {
    const failing = await run(play("- command: /bin/false"));
    expect(failing).toMatchObject({ status: "failed", exitCode: 2 });
    expect(failing.output).toMatch(/failed=1/);
    const unknownModule = await run(play("- no_such_module: {}"));
    expect(unknownModule).toMatchObject({ status: "failed", exitCode: 4 });
    const rejected = await run("I am sorry, I cannot do that.");
    expect(rejected).toMatchObject({ status: "rejected", exitCode: null, wallSeconds: 0 });
  });

  test("kills a playbook that runs for ever, with all its processes", async () => {
    const mark = `86400.${id}1`;
    const execution = await run(shell(`sleep ${mark} & sleep ${mark}`), { timeoutMs: 1500 });
    expect(execution).toMatchObject({ status: "timed-out", exitCode: null });
    expect(execution.output).toMatch(/still running after 1.5 s/);
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  test("stops when its caller gives up", async () => {
    const mark = `86400.${id}2`;
    const signal = AbortSignal.timeout(1500);
    await expect(run(shell(`sleep ${mark}`), { signal })).rejects.toThrow(/timeout/);
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  test.each([
    ["lines", "while true; do seq 1 1000000; done", /^1\n2\n[\s\S]*left out/],
    ["one line", "while true; do seq 1 1000000 | tr '\\n' ' '; done", /^1 2 [\s\S]*left out/],
  ])("survives a command that prints %s without end, and keeps what it may", async (_, command, begins) => {
    const before = process.memoryUsage.rss();
    for (const [maxOutput, most] of [
      [undefined, 128 * 1024],
      [8_000, 8_000],
    ] as const) {
      const bounds = maxOutput === undefined ? {} : { maxOutput };
      const probe = await runProbe({ ...common, ...bounds, sandbox, command });
      expect(probe).toMatchObject({ status: "failed", exitCode: null });
      expect(probe.output).toMatch(begins);
      expect(probe.output).toMatch(/printed more than 64 MiB\]$/);
      expect(probe.output.length).toBeGreaterThan(most / 2);
      expect(probe.output.length).toBeLessThanOrEqual(most);
    }
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(100);
  });

  test.each([
    ["lines", "{{ range(30000) | list }}"],
    ["one line", "{{ 'x' * 200000 }}"],
  ])("keeps of a playbook that prints much in %s what it may", async (_, message) => {
    for (const maxOutput of [32 * 1024, 8_000]) {
      const execution = await run(play(`- debug: { msg: "${message}" }`), { maxOutput });
      expect(execution).toMatchObject({ status: "ok", exitCode: 0 });
      expect(execution.output).toMatch(/^\nPLAY [\s\S]*left out[\s\S]*ok=1/);
      expect(execution.output.length).toBeGreaterThan(maxOutput / 2);
      expect(execution.output.length).toBeLessThanOrEqual(maxOutput);
    }
  });

  test("a probe is read-only in words, bounded in time, and given the kubeconfig", async () => {
    const ok = await runProbe({ ...common, sandbox, command: "kubectl config current-context | tr c C" });
    expect(ok).toEqual({ status: "ok", exitCode: 0, output: "C\n" });
    const failed = await runProbe({ ...common, sandbox, command: "grep x /dev/null" });
    expect(failed).toMatchObject({ status: "failed", exitCode: 1 });
    const refused = await runProbe({ ...common, sandbox, command: "kubectl delete pods --all" });
    expect(refused).toMatchObject({ status: "refused", output: expect.stringMatching(/kubectl delete/) });
    const late = await runProbe({ ...common, sandbox, timeoutMs: 300, command: "sleep 60" });
    expect(late).toMatchObject({ status: "timed-out", exitCode: null });
  });

  test("a playbook may name k3s's own kubeconfig, and root's", async () => {
    const server = createServer((_request, response) => response.end("answered")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script =
      "kubectl --kubeconfig /etc/rancher/k3s/k3s.yaml get --raw /x; kubectl config set-context --current --namespace=other && kubectl --kubeconfig ~/.kube/config config view";
    const playbook = shell(script);
    const local = kubeconfig.replace("https://127.0.0.1:9", url);
    const execution = await runPlaybook({ ...common, kubeconfig: local, playbook, sandbox, warm });
    server.close();
    expect(execution.output).toContain("answered");
    expect(execution.output).toContain("namespace: other");
  });
});

test("leaves no directory behind", async () => {
  await runPlaybook({ ...common, playbook: play("- copy: {content: x, dest: '~/left'}"), sandbox: plain });
  const left = await readdir(tmpdir());
  expect(left.filter((name) => name.startsWith(`microremed-run-${process.pid}.`))).toEqual([]);
});

test.runIf(detected.kind === "bubblewrap")("the sandbox hides the machine and leaves nothing", async () => {
  const mark = "86400.99";
  const script = `setsid nohup sleep ${mark} >/dev/null 2>&1 & ls -d /root/* /home /etc/shadow /var ${process.cwd()} 2>/dev/null; ls /proc | grep -c '^[0-9]'; touch /x /usr/x /etc/x 2>&1; id -u`;
  const execution = await runPlaybook({ ...common, playbook: shell(script) });
  expect(execution.status).toBe("ok");
  expect(execution.output).toContain("/root/remediation.yml");
  expect(execution.output).toMatch(/Read-only file system/);
  for (const hidden of ['"/home', '"/etc/shadow', '"/var', `"${process.cwd()}`])
    expect(execution.output).not.toContain(hidden);
  await expect.poll(() => processesWith(mark)).toEqual([]);
});

test.runIf(detected.kind === "bubblewrap")("the sandbox bounds processes, memory and disk", async () => {
  const bomb = await runProbe({
    ...common,
    command: "for i in $(seq 700); do sleep 60 & done; wait",
    timeoutMs: 30_000,
  });
  expect(bomb.output).toMatch(/Resource temporarily unavailable/);
  const disk = await runPlaybook({
    ...common,
    playbook: shell("for i in 1 2 3; do dd if=/dev/zero of=/tmp/$i bs=1M count=200 2>&1; done"),
  });
  expect(disk.output).toMatch(/No space left on device/);
  const memory = await runPlaybook({ ...common, playbook: shell("python3 -c 'x = bytearray(3 << 30)'") });
  expect(memory.output).toMatch(/MemoryError/);
  const hogs = `for i in $(seq 12); do python3 -c 'import time; x = b"x" * (150 << 20); time.sleep(600)' & done; wait`;
  const together = await runPlaybook({ ...common, playbook: shell(hogs) });
  expect(together).toMatchObject({ status: "failed", exitCode: null });
  expect(together.output).toMatch(/used more than 1 GiB of memory\]$/);
});

test.runIf(detected.kind === "bubblewrap")(
  "only the API server can be reached, by its own name",
  async () => {
    await using stack = new AsyncDisposableStack();
    const serve = async (answer: string): Promise<number> => {
      const server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1");
      await once(server, "listening");
      stack.defer(() => void server.close());
      return (server.address() as AddressInfo).port;
    };
    const [api, other] = await Promise.all([serve("from the API server\n"), serve("from another\n")]);
    const named = kubeconfig.replace("https://127.0.0.1:9", `http://localhost:${api}`);
    const command = `kubectl get --raw /x; curl -s --max-time 2 http://127.0.0.1:${other}/ || echo refused; cat /etc/hosts; head -c 3000000 /dev/zero | curl -sT - http://localhost:${api}/`;
    const { output } = await runPlaybook({ ...common, kubeconfig: named, playbook: shell(command) });
    expect(output).toMatch(/from the API server.*refused.*127\.0\.0\.1 localhost.*from the API server/s);
    expect(output).not.toContain("from another");
  },
);
