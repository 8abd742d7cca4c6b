import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { foreignPrograms, parseCommands } from "./foreign-programs.ts";
import { leftProcesses, parseProcesses, parseVariables, stoppedProcesses } from "./processes.ts";
import { commandsScript, processesScript } from "./programs-script.ts";

const run = promisify(execFile);

/** A PID namespace whose first program leads a session, as a container's does. Returns its pid outside. */
async function startContainer(first: string): Promise<string> {
  const args = ["--pid", "--fork", "--mount-proc", "--kill-child", "setsid", "bash", "-c", first];
  const child = spawn("unshare", args, { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  for (let tried = 0; tried < 100; tried++) {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
    if (children.trim() !== "") return children.trim();
    await sleep(50);
  }
  throw new Error("unshare started nothing");
}

/** Runs a command there as a runtime does: from outside, in a session of its own. */
async function execIn(pid: string, shell: string, script: string): Promise<string> {
  const { stdout } = await run("nsenter", ["-t", pid, "-p", "-m", "setsid", "-w", shell, "-c", script]);
  return stdout;
}

/** What was left there, as the judge finds it. */
async function commandsLeft(pid: string, shell: string): Promise<string[]> {
  const others = parseProcesses(await execIn(pid, shell, processesScript));
  if (!others) throw new Error("the script did not print the processes");
  const left = leftProcesses(others, 0);
  const script = commandsScript([1, ...left.map((one) => one.pid)]);
  const [first, ...running] = parseCommands(await execIn(pid, shell, script));
  if (!first) throw new Error("the script did not print the commands");
  const found = left.map((one, at) => ({ ...one, executable: "", command: "", ...running[at] }));
  return foreignPrograms({ first, left: found, stopped: [], variables: new Map() }, []).map(
    ({ command }) => command,
  );
}

test.runIf(process.getuid?.() === 0).each(["sh", "bash"])(
  "%s of a real Linux finds what an exec has left, and nothing that the first program or a check started",
  async (shell) => {
    const pid = await startContainer("sleep 301 & (sleep 302; true) & wait");
    await expect.poll(async () => await execIn(pid, shell, processesScript)).toMatch(/^1 \(bash\)/m);
    expect(await commandsLeft(pid, shell)).toEqual([]);
    await execIn(pid, shell, "nohup sleep 303 >/dev/null 2>&1 &");
    await execIn(pid, shell, "setsid sleep 304 >/dev/null 2>&1 &");
    expect(await commandsLeft(pid, shell)).toEqual(["sleep 303", "sleep 304"]);
    const stopped = async () => stoppedProcesses(await execIn(pid, shell, processesScript));
    expect(await stopped()).toEqual([]);
    await execIn(pid, shell, "kill -STOP $(pgrep -xo sleep)");
    // The kernel stops it in its own time.
    await expect.poll(stopped).toHaveLength(1);
    const variables = parseVariables(await execIn(pid, shell, processesScript));
    expect(variables.get("PATH")).toBe(process.env["PATH"]);
  },
);
