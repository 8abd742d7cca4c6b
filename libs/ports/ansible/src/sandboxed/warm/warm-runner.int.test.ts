import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, silentLogger } from "@microremed/core";
import type { Starter } from "@microremed/sandbox";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { afterAll, describe, expect, test } from "vitest";
import { runPlaybook } from "../run-playbook.ts";
import { startWarmRunner, useWarmRunner, type WarmRunner, type WarmRunnerOptions } from "./warm-runner.ts";

const kubeconfig = `{apiVersion: v1, kind: Config, current-context: c,
clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}],
users: [{name: u, user: {token: canary-token-1234}}],
contexts: [{name: c, context: {cluster: c, user: u, namespace: shop}}]}`;
const { best: sandbox } = await sandboxesHere();
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

async function started(options: Partial<WarmRunnerOptions> = {}): Promise<WarmRunner> {
  const runner = stack.use(startWarmRunner({ log: silentLogger, sandbox, ...options }));
  await runner.ready;
  return runner;
}

let theLasting: Promise<WarmRunner> | undefined;
/** One runner for all tests that leave it as it was: what one of them did to it would show in the next. */
function lasting(): Promise<WarmRunner> {
  theLasting ??= started();
  return theLasting;
}

function run(warm: Starter, command: string, timeoutMs = 100_000) {
  const tasks = `[{shell: ${JSON.stringify(command)}, register: r}, {debug: {var: r.stdout_lines}}]`;
  const playbook = `- {hosts: k3s_control_plane, gather_facts: false, tasks: ${tasks}}`;
  return runPlaybook({ playbook, kubeconfig, timeoutMs, log: silentLogger, sandbox, warm });
}

/** Only in the plain command is Ansible a program of its own. */
const howItRuns = "pgrep -fc '^/usr/bin/python3 /usr/bin/ansible-playbook' || echo warm";

async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(mark));
}

describe.runIf(sandbox.kind === "bubblewrap")("the warm runner", () => {
  test("runs playbooks, is replaced when it dies, and is not needed meanwhile", async () => {
    const warnings: string[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (...words: unknown[]) => void warnings.push(String(words.at(-1))),
    };
    const runner = await started({ log });
    expect((await run(runner, howItRuns)).output).toContain('"warm"');
    const former = runner.pid ?? 0;
    process.kill(former, "SIGKILL");
    await expect.poll(() => runner.pid, { interval: 5 }).toBe(undefined);
    expect(await run(runner, "echo on")).toMatchObject({ status: "ok" });
    await expect.poll(() => runner.pid ?? former).not.toBe(former);
    expect((await run(runner, howItRuns)).output).toContain('"warm"');
    expect(warnings).toEqual(["the warm Ansible process ended; another one is started"]);
  });

  test("does not take its runs with it", async () => {
    const runner = await started();
    const running = run(runner, "sleep 5; echo survived");
    await expect.poll(async () => (await processesWith("sleep 5; echo survived")).length).toBeGreaterThan(0);
    process.kill(runner.pid ?? 0, "SIGKILL");
    expect((await running).output).toMatch(/survived[\s\S]*failed=0/);
  });

  test("is used by other processes too, which find the one that takes its place", async () => {
    const dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
    stack.defer(() => rm(dir, { recursive: true }));
    const addressFile = join(dir, "warm");
    const other = useWarmRunner(addressFile);
    expect((await run(other, howItRuns)).output).not.toContain('"warm"');
    await writeFile(addressFile, "of a range before");
    const unable = startWarmRunner({ log: silentLogger, sandbox, addressFile, python: "/bin/false" });
    await expect.poll(() => existsSync(addressFile)).toBe(false);
    await unable[Symbol.asyncDispose]();
    const runner = await started({ addressFile });
    expect((await run(other, howItRuns)).output).toContain('"warm"');
    const former = runner.pid ?? 0;
    process.kill(former, "SIGKILL");
    await expect.poll(() => runner.pid ?? former).not.toBe(former);
    expect((await run(other, howItRuns)).output).toContain('"warm"');
  });

  test("is renewed after so many runs", async () => {
    const runner = await started({ recycleAfter: 2 });
    const former = runner.pid;
    for (let i = 0; i < 2; i++) expect(await run(runner, "true")).toMatchObject({ status: "ok" });
    await expect.poll(() => runner.pid).not.toBe(former);
    await expect.poll(() => existsSync(`/proc/${former}`)).toBe(false);
    expect((await run(runner, howItRuns)).output).toContain('"warm"');
  });

  test("leaves playbooks to the plain command where it cannot start, and says so once", async () => {
    const warnings: unknown[] = [];
    const log: Logger = { ...silentLogger, warn: (...words: unknown[]) => void warnings.push(words.at(-1)) };
    const runner = await started({ python: "/bin/false", log });
    expect(await runner.ready).toBe(false);
    expect(await run(runner, "echo on")).toMatchObject({ status: "ok" });
    expect(warnings).toEqual(["Ansible is not kept warm; playbooks run, but slower"]);
  });

  test("refuses a client outside of our sandbox, and the request that is no playbook", async () => {
    const runner = await lasting();
    for (const request of ["1\0/bin/sh\0", "x", "9\0a\0"]) {
      const socket = await runner.connect();
      socket?.write(request);
      if (request !== "1\0/bin/sh\0") socket?.end();
      const [answer] = socket ? await once(socket, "data") : [];
      expect(String(answer)).toBe("plain\n");
      socket?.destroy();
    }
  });

  test("a run that is stopped ends with all its processes", async () => {
    const mark = "86400.777";
    const runner = await lasting();
    const execution = await run(runner, `setsid sleep ${mark} & sleep ${mark}`, 3000);
    expect(execution).toMatchObject({ status: "timed-out", exitCode: null });
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  test("runs see neither the runner, nor each other, nor the machine, and have no rights", async () => {
    const runner = await lasting();
    const seen = `ps ax -o args; ls /proc/*/fd -l 2>/dev/null | grep -v 'pipe\\|/dev/\\|/proc'; grep -E 'CapEff|CapBnd|NoNewPrivs|Max processes' /proc/self/status /proc/self/limits; unshare -U true 2>&1; hostname; ls -d /home /var /etc/shadow ${process.cwd()} 2>/dev/null`;
    const [first, second] = await Promise.all([
      run(runner, `sleep 1; ${seen}`),
      run(runner, `sleep 1.5; ${seen}`),
    ]);
    expect(first.output).not.toContain("sleep 1.5");
    expect(second.output).toContain("sleep 1.5");
    for (const { output } of [first, second]) {
      expect(output).toMatch(/CapEff:\\t0000000000000000/);
      expect(output).toMatch(/CapBnd:\\t0000000000000000/);
      expect(output).toMatch(/NoNewPrivs:\\t1/);
      expect(output).toMatch(/Max processes +512 +512/);
      expect(output).toContain('"k3s-control-plane"');
      expect(output).not.toMatch(/"\/(home|var|etc\/shadow|work)|canary/);
    }
  });

  test("what a plug-in does to Ansible's own process ends with its run", async () => {
    const runner = await lasting();
    const former = runner.pid;
    const poison = `
import os, signal, sys
from ansible.plugins.action import ActionBase
class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        spared = ("_", "ActionModule")
        for name, module in list(sys.modules.items()):
            if name.startswith(("ansible.utils", "takeover", "preload", "warm_runner", "__main__")):
                for key, value in list(vars(module).items()):
                    if callable(value) and not key.startswith(spared): vars(module)[key] = None
        for fd in range(3, 1024):
            try: os.write(fd, b"0\\n")
            except OSError: pass
        open("/tmp/ran", "w").write("it ran")
        # Nothing can end this run any more but its deadline, or this.
        os.kill(os.getppid(), signal.SIGKILL)
        return {"changed": True, "msg": "poisoned"}
`;
    const playbook = `
- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - file: {path: "~/roles/evil/{{ item }}", state: directory}
      loop: [tasks, action_plugins]
    - copy: {dest: ~/roles/evil/action_plugins/poison.py, content: ${JSON.stringify(poison)}}
    - copy: {dest: ~/roles/evil/tasks/main.yml, content: "- poison: {}"}
    - include_role: {name: evil}
`;
    const options = { kubeconfig, timeoutMs: 60_000, log: silentLogger, sandbox, warm: runner };
    const { output } = await runPlaybook({ ...options, playbook });
    expect(output).toMatch(/changed: \[k3s-control-plane\][\s\S]*TASK \[evil : poison\]/);
    for (let i = 0; i < 3; i++) {
      const clean = await run(runner, "ls /tmp/ran ~/roles; echo untouched");
      expect(clean).toMatchObject({ status: "ok" });
      expect(clean.output).toContain('"untouched"');
      expect(clean.output).not.toContain("poisoned");
    }
    expect((await run(runner, howItRuns)).output).toContain('"warm"');
    expect(runner.pid).toBe(former);
  });

  test("random numbers differ from run to run", async () => {
    const runner = await lasting();
    const playbook =
      '- {hosts: k3s_control_plane, gather_facts: false, tasks: [{debug: {msg: "n={{ 999999999 | random }}"}}]}';
    const options = { playbook, kubeconfig, timeoutMs: 60_000, log: silentLogger, sandbox, warm: runner };
    const numbers = [];
    for (let i = 0; i < 3; i++) numbers.push(/n=\d+/.exec((await runPlaybook(options)).output)?.[0]);
    expect(new Set(numbers).size).toBe(3);
  });
});
