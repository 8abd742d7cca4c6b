import { createRng } from "@microremed/core";
import type { ContainerRuntime, Process } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createExec } from "./exec-in-container.ts";
import { createShell, gnu } from "./testing/create-shell.ts";

test("pings as busybox prints it, once a second of cluster time", async () => {
  const { run, reply } = createShell();
  reply.current = (n) =>
    n === 1 ? { ok: false, elapsedMs: 0, error: "timeout" } : { ok: true, elapsedMs: 1000 + n, error: "" };
  const { code, out, seconds } = await run(["ping", "-c", "3", "-W", "2", "8.8.8.8"]);
  expect(out).toBe(
    [
      "PING 8.8.8.8 (8.8.8.8): 56 data bytes",
      "64 bytes from 8.8.8.8: seq=0 ttl=62 time=1000.000 ms",
      "64 bytes from 8.8.8.8: seq=2 ttl=62 time=1002.000 ms",
      "",
      "--- 8.8.8.8 ping statistics ---",
      "3 packets transmitted, 2 packets received, 33% packet loss",
      "round-trip min/avg/max = 1000.000/1001.000/1002.000 ms",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
  expect(seconds).toBeCloseTo(4, 0);
});

test("pings as iputils prints it, and fails when nothing comes back", async () => {
  const { run, reply } = createShell(gnu);
  const good = await run(["ping", "-c", "2", "-i", "0.2", "redis"]);
  expect(good.out).toContain(
    "PING redis (10.43.0.7) 56(84) bytes of data.\n64 bytes from 10.43.0.7: icmp_seq=1 ttl=62 time=0.400 ms\n",
  );
  expect(good.out).toMatch(
    /2 packets transmitted, 2 received, 0% packet loss, time 20\dms\nrtt min\/avg\/max\/mdev = 0\.400\/0\.400\/0\.400\/0\.000 ms\n/,
  );
  reply.current = () => ({ ok: false, elapsedMs: 0, error: "timeout" });
  const bad = await run(["ping", "-c", "2", "-W", "1", "-q", "redis"]);
  expect(bad.out).toContain("2 packets transmitted, 0 received, 100% packet loss");
  expect(bad.code).toBe(1);
  expect((await run(["ping", "-c1", "nowhere"])).err).toBe("ping: nowhere: Name or service not known\n");
});

test("names the pod's host, which need not have the pod's name", async () => {
  const { run, sandbox } = createShell();
  Object.assign(sandbox, { hostname: "cart-0", domain: "carts.shop.svc.cluster.local" });
  const { out } = await run([
    "sh",
    "-c",
    "hostname; hostname -f; uname -n; cat /etc/hostname; echo $HOSTNAME",
  ]);
  expect(out.trim().split("\n")).toEqual([
    "cart-0",
    "cart-0.carts.shop.svc.cluster.local",
    "cart-0",
    "cart-0",
    "cart-0",
  ]);
});

test("says what the runtime says when a program is not in the image", async () => {
  const { run } = createShell(gnu);
  expect((await run(["nslookup", "redis"])).code).toBe(
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "nslookup": executable file not found in $PATH: unknown',
  );
  expect((await run(["/bin/zsh"])).code).toContain(
    'exec: "/bin/zsh": stat /bin/zsh: no such file or directory: unknown',
  );
  const pause = createShell(() => ({ image: "gcr.io/google-containers/pause:latest", behaviour: undefined }));
  expect((await pause.run(["sh"])).code).toContain('exec: "sh": executable file not found in $PATH');
});

test("a shell only finds what the image has", async () => {
  const { run } = createShell(gnu);
  expect(await run(["bash", "-c", "nslookup redis; echo $?"])).toMatchObject({
    out: "127\n",
    err: "bash: line 1: nslookup: command not found\n",
  });
  const busybox = createShell();
  expect((await busybox.run(["sh", "-c", "frob"])).err).toBe("sh: frob: not found\n");
  expect((await busybox.run(["sh", "-c", "exit 3"])).code).toBe(3);
});

test("a pattern that backtracks for ever ends all the same", async () => {
  const { run } = createShell();
  const script = `x=${"a".repeat(3_000)}; case $x in *a*a*a*a*a*a*a*a*a*a*b) echo yes;; *) echo no;; esac`;
  expect((await run(["sh", "-c", script])).out).toBe("no\n");
});

test("pipes the simulated programs through real shell syntax", async () => {
  const { run } = createShell();
  const { out } = await run(["sh", "-c", "ping -c 2 8.8.8.8 | grep loss && echo $HOSTNAME"]);
  expect(out).toBe("2 packets transmitted, 2 packets received, 0% packet loss\ncart\n");
});

test("/dev/null reads as empty and swallows what is written", async () => {
  const { run } = createShell();
  const script =
    "cat </dev/null && echo gone >/dev/null 2>&1 && nc -z redis 6379 </dev/null && echo open; cat /dev/null";
  expect(await run(["sh", "-c", script])).toMatchObject({ code: 0, out: "open\n", err: "" });
  expect((await run(["dd", "if=/dev/null", "of=/tmp/x"])).err).toContain("0+0 records in");
});

test("dd writes at disk speed and says so as coreutils does", async () => {
  const { run } = createShell(gnu);
  const { err, code, seconds } = await run([
    "dd",
    "if=/dev/zero",
    "of=/data/x",
    "bs=1M",
    "count=10",
    "conv=fsync",
  ]);
  expect(code).toBe(0);
  expect(err).toMatch(
    /^10\+0 records in\n10\+0 records out\n10485760 bytes \(10 MB, 10 MiB\) copied, 0\.07\d* s, 14\d MB\/s\n$/,
  );
  expect(seconds).toBeLessThan(0.2);
  expect((await run(["ls", "/data"])).out).toBe("x\n");
});

test("dd meets the delays and errors of a faulted mount", async () => {
  const slow = createShell();
  slow.container.ioFaults.push({
    owner: "toda",
    volumePath: "/data",
    path: "/data/**/*",
    percent: 50,
    delayMs: 5000,
  });
  const written = await slow.run(["dd", "if=/dev/zero", "of=/data/x", "bs=1M", "count=10"]);
  expect(written.seconds).toBeGreaterThan(10);
  expect(written.err).toMatch(/10485760 bytes \(10\.0MB\) copied, \d+\.\d{6} seconds, \d+\.\dKB\/s/);
  const elsewhere = await slow.run(["dd", "if=/dev/zero", "of=/tmp/x", "bs=1M", "count=10"]);
  expect(elsewhere.seconds).toBeLessThan(0.2);
  const broken = createShell();
  broken.container.ioFaults.push({
    owner: "toda",
    volumePath: "/data",
    methods: ["write"],
    percent: 100,
    delayMs: 0,
    errno: 5,
  });
  const failed = await broken.run(["sh", "-c", "dd if=/dev/zero of=/data/x bs=1M count=1; echo $?"]);
  expect(failed.out).toBe("1\n");
  expect(failed.err).toContain("I/O error");
});

test("shares a pod's volumes and keeps a container's own layer to itself", async () => {
  const { run, world } = createShell();
  await run(["sh", "-c", "echo kept > /data/f; echo lost > /tmp/f"]);
  expect((await run(["cat", "/data/f", "/tmp/f"])).out).toBe("kept\nlost\n");
  world.restartContainer("cart");
  const after = await run(["cat", "/data/f", "/tmp/f"]);
  expect(after).toMatchObject({
    code: 1,
    out: "kept\n",
    err: "cat: can't open '/tmp/f': No such file or directory\n",
  });
});

test("copies in and out with tar, as kubectl cp does", async () => {
  const { run } = createShell();
  await run(["sh", "-c", "mkdir -p /data/d && echo hello > /data/d/f"]);
  const archive = await run(["tar", "cf", "-", "/data/d"]);
  expect(archive.code).toBe(0);
  expect((await run(["tar", "-xmf", "-", "-C", "/tmp"], archive.out)).code).toBe(0);
  expect((await run(["cat", "/tmp/data/d/f"])).out).toBe("hello\n");
  expect((await run(["test", "-d", "/tmp/data"])).code).toBe(0);
  expect((await run(["test", "-d", "/tmp/none"])).code).toBe(1);
});

test("a stopped stressor keeps its memory and uses no CPU until it goes on", async () => {
  const { run, container } = createShell();
  const stressor: Process = {
    ...{ pid: 40, command: "stress-ng-cpu [run]", user: "root", startedAt: 0 },
    ...{ kind: "cpu-stressor", cpuDemand: 2, memoryBytes: 4 << 20 },
  };
  container.processes.push({ ...stressor });
  const state = async () => (await run(["sh", "-c", "cat /proc/40/stat"])).out.split(" ")[2];
  expect(await state()).toBe("R");
  await run(["kill", "-STOP", "40", "1"]);
  expect(container.processes.at(-1)).toEqual({ ...stressor, cpuDemand: 0, stoppedDemand: 2 });
  expect(await state()).toBe("T");
  await run(["sh", "-c", "kill -TSTP 40; kill -s CONT 40"]);
  expect(container.processes.at(-1)).toEqual(stressor);
  // PID 1 takes no such signal from inside its namespace.
  expect(container.processes[0]?.stoppedDemand).toBeUndefined();
});

test("kill ends a stressor with its workers, leaves PID 1 alone at SIGKILL, and stops a program that handles SIGTERM", async () => {
  const { run, world, container } = createShell((fresh) => ({
    ...(fresh.behaviour && { behaviour: { ...fresh.behaviour, runtime: "java" } }),
  }));
  world.create("stresschaos", "cpu", {
    selector: { labelSelectors: { app: "cart" } },
    mode: "all",
    stressors: { cpu: { workers: 3 } },
  });
  world.loop.advance(2000);
  const { out } = await run(["ps"]);
  expect(out.match(/stress-ng-cpu \[run\]/g)).toHaveLength(3);
  const parent = /^ *(\d+) .*stress-ng --cpu/m.exec(out)?.[1] ?? "";
  expect(await run(["kill", "-9", parent])).toMatchObject({ code: 0 });
  expect(container.processes.map((process) => process.kind)).toEqual(["main"]);
  expect((await run(["kill", "4242"])).err).toBe("kill: can't kill pid 4242: No such process\n");
  await run(["sh", "-c", "kill -9 1"]);
  expect(world.killed).toEqual([]);
  await run(["sh", "-c", "kill 1"]);
  expect(world.killed).toEqual(["cart/cart 143"]);
});

test("an exec dies with its container and when its client goes away", async () => {
  const { run, world } = createShell();
  world.loop.after(3000, "restart", () => world.restartContainer("cart"));
  const died = await run(["sh", "-c", "sleep 100; echo late"]);
  expect(died).toMatchObject({ code: 137, out: "" });
  const client = new AbortController();
  world.loop.after(3000, "leave", () => client.abort());
  expect((await run(["sleep", "100"], undefined, client.signal)).seconds).toBeLessThan(5);
});

test.each([
  ["/nosuch/x", "sh: can't create /nosuch/x: nonexistent directory"],
  ["/etc/hosts/x", "sh: can't create /etc/hosts/x: Not a directory"],
  ["/tmp", "sh: can't create /tmp: Is a directory"],
  ["''", "sh: can't create : nonexistent directory"],
])("says that a script cannot write to %s", async (path, said) => {
  const { run } = createShell();
  const { code, err } = await run(["sh", "-c", `echo a > ${path}`]);
  expect([code, err]).toEqual([1, `${said}\n`]);
});

test.each([
  ["echo hi >/missing/x", "code 1"],
  ["echo hi >>/missing/x && echo and", "code 1"],
  ["{ echo a; } >/missing/x", "code 1"],
  ["for i in 1; do echo a; done >/missing/x || echo or $?", "or 1\ncode 0"],
  ["if echo a >/missing/x; then echo yes; else echo no $?; fi", "no 1\ncode 0"],
  ["f() { echo f; }; f >/missing/x", "code 1"],
  ["echo a | cat >/missing/x", "code 1"],
  ["to=/missing; echo a >$to/x", "code 1"],
  ["cd /; echo a >missing/x", "code 1"],
  ["cat /etc/hostname 2>/missing/x", "code 1"],
  ["set -e; echo a >/missing/x", ""],
  [": >/missing/x", ""],
  ["exec >/missing/x", ""],
])("a redirection into a missing folder fails as in busybox's sh: %s", async (script, printed) => {
  const { run } = createShell();
  const { out, err } = await run(["sh", "-c", `${script}; echo code $?`]);
  expect(out.trim()).toBe(printed);
  expect(err).toMatch(/^sh: can't create \/?missing\/x: nonexistent directory\n$/);
});

test("a redirection into a missing folder ends no bash, and dash in its own words", async () => {
  const { run } = createShell(gnu);
  const script = "exec >/missing/x; echo code $?";
  const inBash = await run(["bash", "-c", script]);
  expect([inBash.out, inBash.err]).toEqual([
    "code 1\n",
    "bash: line 1: /missing/x: No such file or directory\n",
  ]);
  const inDash = await run(["sh", "-c", script]);
  expect([inDash.out, inDash.err]).toEqual(["", "sh: 1: cannot create /missing/x: Directory nonexistent\n"]);
});

test("output is sent to files and devices that a variable names", async () => {
  const { run } = createShell();
  const script =
    "f=/tmp/f; echo a >$f; echo b >>$f; cat $f; o=/dev/stdout; e=/dev/stderr; echo c >$o; echo d >$e";
  expect(await run(["sh", "-c", script])).toMatchObject({ out: "a\nb\nc\n", err: "d\n", code: 0 });
});

test("bounds what a command prints and how long a script computes", async () => {
  const { run } = createShell();
  const flood = await run(["dd", "if=/dev/zero", "bs=1M", "count=3"]);
  expect(flood.out.length).toBeLessThanOrEqual(1 << 20);
  const busy = await run(["sh", "-c", "while true; do :; done"]);
  expect(busy.code).not.toBe(0);
  const deep = await run(["sh", "-c", "f() { f; }; f; echo after"]);
  expect(deep).toMatchObject({ code: 126, out: "", err: expect.stringMatching(/more than 20000 commands/) });
});

test("two execs at once do not disturb each other", async () => {
  const { run } = createShell();
  const [first, second] = await Promise.all([
    run(["sh", "-c", "cd /data; X=1; sleep 1; echo $X $PWD"]),
    run(["sh", "-c", "cd /tmp; X=2; sleep 1; echo $X $PWD"]),
  ]);
  expect([first.out, second.out]).toEqual(["1 /data\n", "2 /tmp\n"]);
});

test("asks services and resolvers through the simulated network", async () => {
  const { run, reply } = createShell(gnu);
  reply.current = () => ({ ok: true, elapsedMs: 30, error: "", status: 200 });
  expect(
    (await run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://redis:8080/x"])).out,
  ).toBe("200");
  reply.current = () => ({ ok: false, elapsedMs: 2000, error: "timed out" });
  expect(await run(["curl", "-m", "2", "http://redis"])).toMatchObject({
    code: 28,
    err: "curl: (28) Connection timed out after 2000 milliseconds\n",
  });
  expect((await run(["curl", "http://nope"])).err).toBe("curl: (6) Could not resolve host: nope\n");
  const busybox = createShell();
  expect((await busybox.run(["nslookup", "nope"])).code).toBe(1);
  expect((await busybox.run(["nc", "-z", "redis", "6379"])).code).toBe(0);
});

test("shows cgroup limits, resolv.conf and the environment, and a rewritten resolv.conf ends a DNS fault", async () => {
  const { run, sandbox } = createShell(() => ({ env: { REDIS_ADDR: "redis:6379" } }));
  expect((await run(["cat", "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max"])).out).toBe(
    "50000 100000\n536870912\n",
  );
  expect((await run(["printenv", "REDIS_ADDR"])).out).toBe("redis:6379\n");
  sandbox.dnsFault = { owner: "x", action: "error", patterns: [] };
  sandbox.asksChaosDns = true;
  const { out } = await run(["cat", "/etc/resolv.conf"]);
  expect(out).toContain("nameserver 10.96.0.53");
  await run(["sh", "-c", "echo 'nameserver 10.96.0.10' > /etc/resolv.conf"]);
  expect(sandbox.dnsFault).toBeUndefined();
});

test("what is written to the hosts file is what the pod's resolvers read", async () => {
  const { run, sandbox } = createShell();
  await run(["sh", "-c", "echo '127.0.0.1 redis # here' >> /etc/hosts"]);
  expect((await run(["cat", "/etc/hosts"])).out).toMatch(
    /^# Kubernetes-managed[\s\S]*\n127.0.0.1 redis # here\n$/,
  );
  expect(sandbox.hosts?.addresses.get("redis")).toBe("127.0.0.1");
});

test("SIGTERM lets toda take its mount back, SIGKILL leaves a dead one until the container is replaced", async () => {
  const injected = async () => {
    const shell = createShell();
    shell.world.create("iochaos", "x", {
      selector: { labelSelectors: { app: "cart" } },
      mode: "all",
      action: "latency",
      volumePath: "/data",
      delay: "1s",
    });
    shell.world.loop.advance(5000);
    const pid = (await shell.run(["pgrep", "toda"])).out.trim();
    expect(pid).toMatch(/^\d+$/);
    return { ...shell, pid };
  };
  const asked = await injected();
  expect(await asked.run(["kill", asked.pid])).toMatchObject({ code: 0 });
  expect(asked.container.ioFaults).toEqual([]);
  const shot = await injected();
  await shot.run(["sh", "-c", `kill -9 ${shot.pid}`]);
  expect((await shot.run(["dd", "if=/dev/zero", "of=/data/x", "bs=1k", "count=1"])).err).toContain(
    "Socket not connected",
  );
  shot.world.store.delete({ group: "chaos-mesh.org", resource: "iochaos" }, "shop", "x");
  shot.world.loop.advance(10_000);
  expect(shot.world.find("iochaos", "x")).toBeUndefined();
  expect((await shot.run(["ls", "/data"])).code).not.toBe(0);
  expect(shot.world.restartContainer("cart").ioFaults).toEqual([]);
});

test("tc needs NET_ADMIN", async () => {
  const tools = (container: ContainerRuntime) => ({
    ...(container.behaviour && { behaviour: { ...container.behaviour, tools: ["busybox", "tc"] } }),
  });
  const plain = createShell(tools);
  const netem = { owner: "chaos-daemon", delayMs: 1000, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 };
  plain.sandbox.netem.push(netem);
  expect(await plain.run(["tc", "qdisc", "del", "dev", "eth0", "root"])).toMatchObject({
    code: 2,
    err: "RTNETLINK answers: Operation not permitted\n",
  });
  const able = createShell((container) => ({ ...tools(container), capabilities: ["NET_ADMIN"] }));
  able.sandbox.netem.push(netem);
  expect((await able.run(["tc", "qdisc", "show"])).out).toContain("delay 1000ms");
  expect((await able.run(["tc", "qdisc", "del", "dev", "eth0", "root"])).code).toBe(0);
  expect(able.sandbox.netem).toEqual([]);
});

/** Lets the container's programs run for a while. */
async function pass(world: ReturnType<typeof createShell>["world"], seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    world.loop.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a program left in the background outlives its exec, is seen, and ends with its container", async () => {
  const { run, world, container, sandbox } = createShell();
  const left = () => container.processes.filter(({ kind }) => kind === "exec").map(({ command }) => command);
  const script = 'note=late; (sleep 60; echo "$note" > /tmp/note) >/dev/null 2>&1 & echo now';
  expect(await run(["sh", "-c", script])).toMatchObject({ code: 0, out: "now\n" });
  expect(left()).toEqual([expect.stringContaining("sleep 60")]);
  expect((await run(["ps"])).out).toContain("sleep 60");
  await pass(world, 61);
  expect(left()).toEqual([]);
  expect((await run(["cat", "/tmp/note"])).out).toBe("late\n");
  await run(["sh", "-c", "if true; then nohup sleep 600 >/dev/null 2>&1 & fi"]);
  expect(left()).toHaveLength(1);
  sandbox.containers.delete("cart");
  await pass(world, 1);
  expect(left()).toEqual([]);
});

test("/proc shows each process with its parent and session, as a container's own shell reads it", async () => {
  const { run } = createShell();
  await run(["sh", "-c", "nohup sleep 600 >/dev/null 2>&1 &"]);
  const script = 'for s in /proc/[0-9]*/stat; do read -r a b c d e f rest < $s; echo "$a $b $d $f"; done';
  const { out } = await run(["sh", "-c", script]);
  expect(out.trim().split("\n")).toEqual([
    expect.stringMatching(/^1 \(\S+\) 0 1$/),
    "3 (sh) 1 3",
    "4 (sh) 0 4",
  ]);
  const { out: command } = await run(["cat", "/proc/3/cmdline"]);
  expect(command.replaceAll("\0", " ")).toMatch(/^sh -c cd '\/'\s+nohup sleep 600 /);
  expect((await run(["sh", "-c", "readlink /proc/3/exe"])).out).toBe("/usr/bin/sh\n");
  expect((await run(["cat", "/proc/99/stat"])).code).toBe(1);
});

test("an exec stays open for a program in the background that prints to it, or that it waits for", async () => {
  const { run } = createShell();
  for (const script of ["(sleep 5; echo a) &", "sleep 5 >/dev/null 2>&1 & wait"])
    expect((await run(["sh", "-c", script])).seconds, script).toBeGreaterThan(4.9);
});

test("an interactive shell prompts, keeps its directory and leaves with the last code", async () => {
  const { world } = createShell();
  const exec = createExec({
    background: () => {},
    loop: world.loop,
    machine: world.machine,
    network: {
      tcpConnect: () => ({ ok: true, elapsedMs: 0, error: "" }),
      httpGet: () => ({ ok: true, elapsedMs: 0, error: "" }),
      ping: () => ({ ok: true, elapsedMs: 0, error: "" }),
      resolve: () => [],
      execProbe: () => ({ ok: true, elapsedMs: 0, error: "" }),
    },
    rng: createRng(1),
    nodeMemory: () => 1,
    killContainer: () => {},
  });
  let screen = "";
  const typed = async function* () {
    for (const text of ["cd /da", "ta\r", "pwd\r", "false\r", "exit\r"]) yield Buffer.from(text);
  };
  const ended = await exec({
    namespace: "shop",
    pod: "cart",
    container: "cart",
    command: ["sh"],
    stdin: typed(),
    tty: true,
    stdout: (chunk) => {
      screen += Buffer.from(chunk).toString();
    },
    stderr: () => {},
    signal: new AbortController().signal,
  });
  expect(ended).toEqual({ exitCode: 1 });
  expect(screen).toBe("/ # cd /data\r\n/data # pwd\r\n/data\n/data # false\r\n/data # exit\r\n");
});
