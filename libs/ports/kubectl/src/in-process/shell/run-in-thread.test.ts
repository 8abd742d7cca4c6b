import { expect, test } from "vitest";
import { runInThread, type ShellHost } from "./run-in-thread.ts";

const nothing = { stdout: "", stderr: "", exitCode: 0 };
const host: ShellHost = {
  answer: async () => nothing,
  now: async () => Date.UTC(2026, 0, 1),
  signal: new AbortController().signal,
};
const run = (script: string, of: Partial<ShellHost> = {}) =>
  runInThread({ script, env: { A: "of the order" } }, { ...host, ...of });
const long = "diff <(seq 1 9000) <(seq 20001 2 56000) | wc -l";

test("what one script computes delays no other work of the process, and ends", async () => {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 20);
  const { stderr, exitCode } = await run(long, { mostSeconds: 1 });
  clearInterval(ticking);
  expect([exitCode, stderr]).toEqual([137, "error: the script was ended: it computed for more than 1 s\n"]);
  expect(ticks).toBeGreaterThan(5);
  expect(await run('echo "$A"')).toEqual({ exitCode: 0, stdout: "of the order\n", stderr: "" });
});

test("a script that is stopped ends, also in the middle of what it computes", async () => {
  const stop = new AbortController();
  const ended = run(`sleep 1; ${long}`, {
    signal: stop.signal,
    answer: async () => {
      stop.abort();
      return nothing;
    },
  });
  await expect(ended.then(({ exitCode }) => exitCode)).resolves.not.toBe(0);
});

test("scripts run side by side, have nothing of each other, and ask by themselves", async () => {
  const asked: unknown[] = [];
  const answer: ShellHost["answer"] = async (question) => {
    asked.push(question);
    return { stdout: "pod/a\n", stderr: "", exitCode: 0 };
  };
  const scripts = Array.from(
    { length: 6 },
    (_, i) => `X${i}=1; echo ${i} > /tmp/x; kubectl get ${i}; cat /tmp/x`,
  );
  const ends = await Promise.all(scripts.map((script) => run(script, { answer })));
  expect(ends.map(({ stdout }) => stdout)).toEqual(scripts.map((_, i) => `pod/a\n${i}\n`));
  expect(asked).toHaveLength(6);
  expect((await run("set | grep -c ^X; cat /tmp/x")).stdout).toBe("0\n");
});

test("what the process cannot do fails in the script", async () => {
  const answer: ShellHost["answer"] = async () => {
    throw new Error("the cluster is gone");
  };
  expect(await run("sleep 1 || echo on", { answer })).toMatchObject({ exitCode: 0, stdout: "on\n" });
});

test("time is the cluster's, and random numbers follow from it and the script", async () => {
  let now = Date.UTC(2026, 0, 1);
  const of: Partial<ShellHost> = {
    now: async () => now,
    answer: async () => {
      now += 60_000;
      return nothing;
    },
  };
  const script = "date -u +%H:%M:%S; sleep 60; date -u +%H:%M:%S; date +%s; echo $RANDOM";
  const first = await run(script, of);
  expect(first.stdout).toMatch(/^00:00:00\n00:01:00\n1767225660\n\d+\n$/);
  now = Date.UTC(2026, 0, 1);
  expect(await run(script, of)).toEqual(first);
  now = Date.UTC(2026, 0, 1);
  expect((await run(`${script} `, of)).stdout).not.toEqual(first.stdout);
});
