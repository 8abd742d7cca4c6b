import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConfinedProgram, runProgram } from "./run-program.ts";
import { sandboxesHere } from "./testing/index.ts";

const { none, best } = await sandboxesHere();
const sandboxes = [...new Set([none, best])];

// Answers with the path that it was asked for.
const server = createServer((request, response) => response.end(`asked ${request.url}\n`));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "program-"));
  await chmod(folder, 0o755);
  await writeFile(join(folder, "shown"), "for you\n");
});
afterAll(async () => {
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const run = (script: string, changes: Partial<ConfinedProgram> = {}) =>
  runProgram({
    ...{ argv: ["bash", "-c", script], mounts: [], memoryBytes: 2 ** 30, timeoutMs: 60_000, sandbox: best },
    door: (connection) => server.emit("connection", connection),
    surroundings: ({ url }) => ({
      files: { "note.txt": "a note\n", "bin/hello": "#!/bin/bash\necho hello $1\n" },
      programs: ["bin/hello"],
      env: { DOOR: url },
    }),
    ...changes,
  });

test.each(sandboxes)("in $kind it has its files, its programs and a way to the door", async (sandbox) => {
  const fetched = `python3 -c 'import os, urllib.request as r; print(r.urlopen(os.environ["DOOR"] + "/x").read().decode())'`;
  const { output, exitCode } = await run(`cat note.txt; hello you; ${fetched}; exit 3`, { sandbox });
  expect([exitCode, output]).toEqual([
    3,
    expect.stringMatching(/^a note\nhello you\nasked \/[0-9a-f-]{36}\/x\n/),
  ]);
});

test.runIf(best.kind === "bubblewrap")(
  "it reads what it is given of the machine, and nothing else",
  async () => {
    const seen = await run(
      `cat ${folder}/shown; echo x > ${folder}/shown; cat /etc/shadow; ls /home /work; ls -a ~`,
      {
        mounts: [folder],
      },
    );
    expect(seen.output).toContain("for you\n");
    expect(seen.output).toMatch(/Read-only file system/);
    expect(seen.output).toMatch(/\/etc\/shadow: No such file/);
    expect((await run(`cat ${folder}/shown`)).output).toMatch(/No such file/);
  },
);

test.runIf(best.kind === "bubblewrap")(
  "a file in a folder that is closed to others can be given",
  async () => {
    const closed = await mkdtemp(join(tmpdir(), "closed-"));
    const file = join(closed, "tool");
    await writeFile(file, "#!/bin/bash\necho run\n", { mode: 0o700 });
    const { output } = await run(`${file}; ls ${closed}; echo x > ${file}`, { mounts: [file] });
    await rm(closed, { recursive: true });
    expect(output).toMatch(/^run\ntool\n.*Read-only file system/);
  },
);

test.runIf(best.kind === "bubblewrap")("a hidden folder of one that it is shown is empty", async () => {
  const shared = await mkdtemp(join(tmpdir(), "shared-"));
  await chmod(shared, 0o755);
  await mkdir(join(shared, "saved"));
  await writeFile(join(shared, "saved", "solution"), "it was the cart\n");
  await writeFile(join(shared, "agent"), "mine\n");
  const script = `cat ${shared}/agent; ls -A ${shared}/saved; echo x > ${shared}/saved/y; umount ${shared}/saved`;
  const { output } = await run(script, { mounts: [shared], hidden: [join(shared, "saved")] });
  expect(output).toMatch(/^mine\n.*Read-only file system/);
  expect(output).not.toContain("solution");
  await rm(shared, { recursive: true });
});

test.runIf(best.kind === "bubblewrap")(
  "a folder that it is shown leads nowhere: not by a socket, now or later, and not by a named pipe",
  async () => {
    const shared = await mkdtemp(join(tmpdir(), "shared-"));
    await chmod(shared, 0o777);
    const received: string[] = [];
    const listenAt = async (path: string) => {
      const listening = createSocketServer((socket) => {
        received.push("connected");
        socket.end();
      }).listen(path);
      await once(listening, "listening");
      await chmod(path, 0o777);
      return listening;
    };
    const reach = `
import os, socket, sys, time
until = time.time() + 20
while not os.path.exists(sys.argv[1]) and time.time() < until: time.sleep(0.05)
def connected():
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); return "stream"
def paired():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b"x", sys.argv[1]); return "datagram"
for way in (connected, paired):
    try: print("out by", way())
    except OSError as error: print("refused", error.errno)
a, b = socket.socketpair(); a.sendall(b"pairs work"); print(b.recv(20).decode())
`;
    const python = (path: string) => ["python3", "-c", reach, path] as [string, ...string[]];
    const before = await listenAt(join(shared, "before.sock"));
    const there = await run("", { argv: python(join(shared, "before.sock")), mounts: [shared] });
    expect(there.output).toBe("refused 97\nrefused 93\npairs work\n");
    const later = run("", { argv: python(join(shared, "later.sock")), mounts: [shared] });
    const after = await listenAt(join(shared, "later.sock"));
    expect((await later).output).toBe("refused 97\nrefused 93\npairs work\n");
    expect(received).toEqual([]);
    await expect(run("true", { mounts: [join(shared, "before.sock")] })).rejects.toMatchObject({
      ...{ code: "invalid-request", message: expect.stringContaining("is no file and no folder") },
    });
    await run("true", { sandbox: none, argv: ["mkfifo", join(shared, "pipe")] });
    await expect(run("true", { mounts: [shared] })).rejects.toMatchObject({
      ...{ code: "invalid-request", message: expect.stringContaining(`named pipe ${join(shared, "pipe")}`) },
    });
    for (const one of [before, after]) one.close();
    await rm(shared, { recursive: true });
  },
);

test.runIf(best.kind === "bubblewrap")(
  "it reaches nothing but the door, whatever listens on the machine",
  async () => {
    const listening = createSocketServer(() => {}).listen(0, "127.0.0.1");
    await once(listening, "listening");
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const tried = ["127.0.0.1", "1.1.1.1", "169.254.169.254"].map(
      (host) =>
        `timeout 5 bash -c 'exec 3<>/dev/tcp/${host}/${host === "127.0.0.1" ? port : 80}' && echo reached`,
    );
    expect((await run(`${tried.join("; ")}; echo end`)).output).not.toContain("reached");
    listening.close();
  },
);

test.runIf(best.kind === "bubblewrap")("processes that it leaves behind end with it", async () => {
  const started = performance.now();
  const mark = `left-${process.pid}-${started}`;
  const { exitCode } = await run(`(setsid bash -c 'exec -a ${mark} sleep 600' &) ; sleep 0.2; exit 0`);
  expect(exitCode).toBe(0);
  const seen = await run("true", { sandbox: none, argv: ["bash", "-c", `pgrep -f '^${mark}'; true`] });
  expect(seen.output.trim()).toBe("");
});

test.runIf(best.kind === "bubblewrap")(
  "a fork bomb, endless output and all memory end the program alone",
  async () => {
    const bomb = await run(":(){ :|:& };:; sleep 30", { timeoutMs: 4_000 });
    expect(bomb.how).not.toBe("exited");
    const output = await run("yes endless");
    expect(output.how).toBe("flooded");
    const memory = await run("head -c 400M /dev/zero | tail > /dev/null; echo survived", {
      memoryBytes: 128 * 2 ** 20,
    });
    expect(memory.output).not.toMatch(/^survived/);
  },
);

test("a program that is stopped leaves what it has printed", async () => {
  for (const sandbox of [best, none]) {
    const stop = new AbortController();
    const knock = `python3 -c 'import os, urllib.request as r; r.urlopen(os.environ["DOOR"] + "/x")'`;
    const door: ConfinedProgram["door"] = (connection) => {
      stop.abort();
      server.emit("connection", connection);
    };
    const end = await run(`echo began; ${knock}; sleep 600`, { sandbox, stop: stop.signal, door });
    expect(end).toMatchObject({ how: "stopped", exitCode: null, output: expect.stringMatching(/^began\n/) });
    expect((await run("sleep 600", { sandbox, stop: stop.signal })).how).toBe("stopped");
  }
});

test("what a place cannot be had for is said", async () => {
  const pods = { kind: "pods", tools: best.tools } as unknown as typeof best;
  await expect(run("true", { sandbox: pods })).rejects.toMatchObject({ code: "missing-tool" });
});
