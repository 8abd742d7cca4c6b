import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const program = `
import { createLogger } from ${JSON.stringify(new URL("./logger.ts", import.meta.url).href)};
const log = createLogger({ service: "tester", level: "info" });
for (let i = 0; i < 60; i++) {
  log.info({ filler: "x".repeat(1_000_000) }, "a line");
  await new Promise((resolve) => setTimeout(resolve, 10));
}
process.stderr.write("alive " + Math.round(process.memoryUsage().rss / 1e6) + " MB");
process.exit(0);
`;

test("a process whose log has nowhere to go lives on, in bounded memory", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-full-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const full = cleanup.use(await open("/dev/full", "w"));
  const file = join(dir, "logs.ts");
  await writeFile(file, program);
  const errors = join(dir, "stderr");
  const stderr = cleanup.use(await open(errors, "w"));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", full.fd, stderr.fd] });
  const [code] = await once(child, "close");
  const said = await readFile(errors, "utf8");
  expect(`${said}, exit ${code}`).toMatch(/^alive \d+ MB, exit 0$/);
  expect(Number(/\d+/.exec(said)?.[0])).toBeLessThan(300);
});
