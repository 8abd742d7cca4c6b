import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { createExec } from "./exec-in-container.ts";
import { createShell, gnu } from "./testing/create-shell.ts";

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
      dialAtStart: () => undefined,
      callsOfJob: () => [],
      callOfJob: () => ({ ok: true, elapsedMs: 1, error: "" }),
      execProbe: () => ({ ok: true, elapsedMs: 0, error: "" }),
    },
    rng: createRng(1),
    nodeMemory: () => 1,
    availableMemory: () => 1,
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

test("what one script computes delays no other work of the process, and ends", async () => {
  const { run } = createShell(gnu);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  const { code, err } = await run(["bash", "-c", "diff <(seq 1 9000) <(seq 20001 2 56000)"]);
  expect([code, err]).toEqual([137, "bash: line 1: the script was ended: it computed for more than 2 s\n"]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
