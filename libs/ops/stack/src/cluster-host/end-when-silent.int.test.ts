import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endWhenSilent } from "./end-when-silent.ts";

const talks = "setInterval(() => process.send('alive'), 20)";

test("a process that hangs is killed, and one that says that it lives is not", async () => {
  const child = spawn(process.execPath, ["-e", talks], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(child, "message");
  using watch = endWhenSilent(child, { silentMs: 1_000, everyMs: 100 });
  for (let heard = 0; heard < 100; heard++) await once(child, "message");
  expect(watch.silence).toBeUndefined();

  const ended = once(child, "exit");
  child.kill("SIGSTOP");
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(watch.silence).toMatch(/did not respond for \d+ s/);
}, 60_000);
