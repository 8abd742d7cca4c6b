import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EpisodeDocument } from "@microremed/contracts";
import { digestOf, Leaderboard, type Submission, signBytes } from "@microremed/leaderboard";
import { afterAll, beforeAll, expect, test } from "vitest";
import { episodeFile } from "./save-episodes.ts";
import { runLine } from "./testing/run-line.ts";

let dir: string;
const run = (...args: string[]) => runLine(dir, ...args);
const sign = () =>
  run(
    "leaderboard",
    "sign",
    "a",
    ...["--key", "key.pem", "--agent", "a", "--agent-version", "1", "--by", "us"],
  );
const submit = (...args: string[]) => run("leaderboard", "submit", "a", "--output", "json", ...args);
const checksOf = (stdout: string) => {
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; passed: boolean; details: string[] }[];
  };
  return checks;
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-leaderboard-"));
  const of = [
    "--problem",
    "range@3/simple-micro-mitigation-02",
    "--problem",
    "range@3/simple-micro-analysis-02",
  ];
  const ran = await run(
    "run",
    "--range",
    "in-process",
    ...of,
    "--agent",
    "reference/noop",
    "--save-path",
    "a",
  );
  expect(ran.code, ran.stderr).toBe(0);
  expect((await run("leaderboard", "keys", "--out", "key.pem")).stdout).toMatch(/^[0-9a-f]{16}\n$/);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Changes the saved episode of a task. */
async function forge(task: string, change: (episode: EpisodeDocument) => void): Promise<string> {
  for (const name of (await readdir(join(dir, "a"))).filter((one) => episodeFile.test(one))) {
    const path = join(dir, "a", name);
    const before = await readFile(path, "utf8");
    const episode = JSON.parse(before) as EpisodeDocument;
    if ((episode.task ?? "mitigation") !== task) continue;
    change(episode);
    await writeFile(path, JSON.stringify(episode));
    return before;
  }
  throw new Error(`no episode of ${task}`);
}

/** Signs the files as they are, as a program other than ours can. */
async function signByHand(run = "a"): Promise<void> {
  const path = join(dir, run, "submission.json");
  const submission = JSON.parse(await readFile(path, "utf8")) as Submission;
  const files: Record<string, string> = {};
  const there = await readdir(join(dir, run));
  for (const name of Object.keys(submission.files).filter((one) => there.includes(one)))
    files[name] = digestOf(await readFile(join(dir, run, name)));
  const bytes = Buffer.from(JSON.stringify({ ...submission, files }));
  await writeFile(path, bytes);
  const key = await readFile(join(dir, "key.pem"), "utf8");
  await writeFile(join(dir, run, "submission.sig"), signBytes(bytes, key));
}

test("a signed run passes every check, replays included, and comes to the board and its page", async () => {
  expect((await sign()).code).toBe(0);
  const submitted = await submit("--replays", "2", "--range", "in-process", "--to", "board");
  expect(submitted.code, submitted.stdout + submitted.stderr).toBe(0);
  expect(checksOf(submitted.stdout).map(({ check }) => check)).toEqual([
    ...["signature", "version", "plan", "outcomes", "replays"],
  ]);
  expect((await submit("--replays", "0", "--to", "board")).code).toBe(2);

  const built = await run("leaderboard", "build", "board", "a", "--out", "site");
  expect(built.code, built.stderr).toBe(0);
  const board = Leaderboard.parse(JSON.parse(await readFile(join(dir, "site", "leaderboard.json"), "utf8")));
  expect(board.boards[0]).toMatchObject({
    whole: false,
    subject: expect.stringMatching(
      /^the problems of range@3; a part, 2 of \d{3} episodes \(problems range@3/,
    ),
  });
  expect(board.boards[0]?.entries).toHaveLength(1);
  expect(board.boards[0]?.entries[0]).toMatchObject({
    agent: "a",
    version: "1",
    by: "us",
    success: { hits: 0, of: 2 },
  });
  expect(await readFile(join(dir, "site", "index.html"), "utf8")).toContain("reference/noop");
});

test("an episode that was left out before signing is missing, and counts as a failure", async () => {
  await sign();
  await cp(join(dir, "a"), join(dir, "short"), { recursive: true });
  const [left] = (await readdir(join(dir, "short"))).filter((name) => episodeFile.test(name));
  await rm(join(dir, "short", left ?? ""));
  await signByHand("short");
  const built = await run("leaderboard", "build", "short", "--out", "short-site", "--output", "json");
  expect(built.code, built.stderr).toBe(0);
  const { boards } = Leaderboard.parse(JSON.parse(built.stdout));
  expect(boards[0]?.entries).toMatchObject([{ missing: 1, success: { of: 2 } }]);
});

test("a changed, an added and a missing file are no longer as they were signed", async () => {
  await sign();
  const before = await forge("analysis", (episode) => {
    episode.reason = "changed";
  });
  const [changed] = checksOf((await submit()).stdout);
  expect(changed).toMatchObject({ check: "signature", passed: false });
  expect(changed?.details[0]).toMatch(/is not as it was signed/);
  expect((await run("leaderboard", "build", "a", "--out", "site2")).code).toBe(2);
  await forge("analysis", (episode) => Object.assign(episode, JSON.parse(before)));
  await sign();
  await writeFile(join(dir, "a", "0009_x_y.json"), "{}");
  expect(checksOf((await submit()).stdout)[0]?.details[0]).toMatch(
    /0009_x_y.json is not among the signed files/,
  );
  await rm(join(dir, "a", "0009_x_y.json"));
});

test("an outcome that does not follow from what is saved is found without a replay, a forged measurement by one", async () => {
  const before = await forge("analysis", (episode) => {
    episode.outcome = "solved";
    for (const step of episode.steps) if (step.kind === "submit" && step.result) step.result.passed = true;
  });
  const refused = await sign();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/analysis: the saved grade is passed/);
  await signByHand();
  const outcomes = checksOf((await submit("--replays", "0")).stdout).find(
    ({ check }) => check === "outcomes",
  );
  expect(outcomes).toMatchObject({ passed: false });
  expect(outcomes?.details.join()).toMatch(/analysis: the saved grade is passed/);
  expect((await run("leaderboard", "build", "a", "--out", "site3")).stderr).toMatch(/contradicts itself/);
  await forge("analysis", (episode) => Object.assign(episode, JSON.parse(before)));

  await forge("mitigation", (episode) => {
    episode.outcome = "remediated";
    for (const step of episode.steps) {
      if (step.kind === "observe") continue;
      if (step.verdict) Object.assign(step.verdict, { recovered: true, clean: true });
      for (const oracle of step.verdict?.oracles ?? []) Object.assign(oracle, { passed: true });
      const grade = { passed: true, score: 1, parts: {}, reason: "" };
      if (step.kind === "act") step.grade = grade;
      else step.result = grade;
    }
  });
  await sign();
  const replays = checksOf((await submit("--replays", "2", "--range", "in-process")).stdout).at(-1);
  expect(replays).toMatchObject({ check: "replays", passed: false });
  expect(replays?.details[0]).toMatch(/recorded remediated, replayed not-remediated/);
});
