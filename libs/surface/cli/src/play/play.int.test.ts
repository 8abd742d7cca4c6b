import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const microremed = join(import.meta.dirname, "../../bin/microremed.mjs");

const problem = "range@1/simple-micro-pod-config-error-hello-service-detection";

test("a person is given what an agent is given, calls its tools and submits", {
  timeout: 300_000,
}, async () => {
  const input = ["help", "get_nothing", "exec_shell kubectl get pods", "submit anomaly=true", ""].join("\n");
  const played = await execa(process.execPath, [microremed, "play", problem, "--range", "in-process"], {
    input,
    reject: false,
  });
  expect(played.stderr).toContain("Say whether anything is wrong");
  expect(played.stderr).toContain('there is no tool "get_nothing"; ');
  expect(played.stderr).toMatch(/hello-service-\S+ +\d\/\d/);
  expect({ out: played.stdout, code: played.exitCode }).toEqual({
    out: "solved: something was said to be wrong, and something was",
    code: 0,
  });
});

test("a person plays on a range of processes too", { timeout: 300_000 }, async () => {
  const args = ["play", problem, "--range", "processes"];
  const input = "submit anomaly=true\n";
  const played = await execa(process.execPath, [microremed, ...args], { input, reject: false });
  expect({ out: played.stdout, code: played.exitCode }).toEqual({
    out: "solved: something was said to be wrong, and something was",
    code: 0,
  });
});

/** What a folder holds of a game: its episode. */
async function savedIn(directory: string) {
  const [name] = (await readdir(directory)).filter((one) => one.endsWith(".json"));
  return JSON.parse(await readFile(join(directory, name ?? ""), "utf8"));
}

const saidIn = ({ conversation }: { conversation: { content: string }[] }): string =>
  conversation.map(({ content }) => content).join("\n");

test("at the end of the input the game is given up, and what was played is saved", {
  timeout: 300_000,
}, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "play-"));
  const args = ["play", problem, "--range", "in-process", "--save-path", directory.path];
  const input = "exec_shell kubectl get pods\n";
  const played = await execa(process.execPath, [microremed, ...args], { input, reject: false });
  expect({ out: played.stdout, code: played.exitCode }).toEqual({ out: "", code: 4 });
  const saved = await savedIn(directory.path);
  expect(saved).toMatchObject({ problem: { id: problem }, model: "you", task: "detection" });
  expect(["not-solved", null]).toContain(saved.outcome);
  expect(saidIn(saved)).toMatch(/hello-service-\S+ +\d\/\d/);
});

test("Ctrl-C ends the game with 130, and what was played is saved", { timeout: 300_000 }, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "play-"));
  const args = ["play", problem, "--range", "in-process", "--save-path", directory.path];
  const playing = execa(process.execPath, [microremed, ...args], { reject: false });
  playing.stdin?.write("exec_shell kubectl get pods\n");
  let said = "";
  const answered = Promise.withResolvers<void>();
  playing.stderr?.on("data", (chunk: Buffer) => {
    said += String(chunk);
    if (/hello-service-\S+ +\d\/\d/.test(said)) answered.resolve();
  });
  await Promise.race([answered.promise, playing]);
  playing.kill("SIGINT");
  expect((await playing).exitCode).toBe(130);
  expect(saidIn(await savedIn(directory.path))).toMatch(/hello-service-\S+ +\d\/\d/);
});

test("a task that the problem does not have is a wrong argument", async () => {
  const args = ["play", problem, "--task", "mitigatoin", "--range", "in-process"];
  const played = await execa(process.execPath, [microremed, ...args], { reject: false });
  expect(played).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("has the tasks") });
});
