import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { freshCopy, plainPath } from "./fresh-copy.ts";
import type { Block } from "./read-blocks.ts";
import { type Setting, settings } from "./settings.ts";

/** Ends what hangs: the longest page runs the demo from a fresh clone. */
const withinMs = 30 * 60_000;
/** The end of the output that a failure shows, characters. */
const shown = 6_000;

/**
 * Runs the blocks of one page in order, in one shell and in a fresh copy of the repository, as a reader types them. The
 * first command that fails ends it. With `plain`, the machine has nothing but Node and the usual programs, so ranges run
 * in one process.
 *
 * Throws with the end of the output when a command fails or hangs.
 */
export async function runPage(
  page: string,
  blocks: readonly Block[],
  { plain }: { plain: boolean },
): Promise<void> {
  const setting = settings[page] ?? {};
  await using copy = await freshCopy({ packages: setting.isBare !== true });
  const script = join(copy.dir, ".commands.sh");
  await writeFile(script, scriptOf(blocks, setting));
  const path = plain ? await plainPath(copy.dir) : (process.env["PATH"] ?? "");
  // npx links the copy in npm's cache. A copy with its packages needs no other one, so it gets a cache that goes with it.
  const cache = setting.isBare === true ? {} : { npm_config_cache: join(copy.dir, ".npm-cache") };
  const env = { ...cleanEnvironment(), ...cache, PATH: path, ...(await freePorts()) };
  // A group of its own, so that what the page started in the background can be stopped with it.
  const child = spawn("sh", [script], {
    cwd: copy.dir,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-10 * shown);
    });
  const timer = setTimeout(() => stop(child.pid, "SIGKILL"), withinMs);
  const [code, signal] = await once(child, "exit");
  clearTimeout(timer);
  stop(child.pid, "SIGTERM");
  await gone(child.pid);
  if (code !== 0) throw new Error(`${page}: exit code ${code ?? signal}\n${output.slice(-shown)}`);
}

function scriptOf(blocks: readonly Block[], { before = "", after = "", replace = {} }: Setting): string {
  const written = blocks.map(({ commands }) => commands).join("\n");
  const missing = Object.keys(replace).filter((text) => !written.includes(text));
  if (missing.length > 0)
    throw new Error(`the page no longer has the text that its setting replaces: ${missing}`);
  const commands = Object.entries(replace).reduce(
    (text, [from, to]) => text.replaceAll(from, () => to),
    written,
  );
  return ["set -eux", before, commands.replaceAll("PORT_HERE", "$PORT"), after, ""].join("\n");
}

/** This process's environment without what belongs to a range, a model or the test runner. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(VITEST|NATS_|REDIS_|OPENAI_|MICROREMED_|OTEL_|CATALOGUE_DIRS|POLICIES_DIR|SANDBOX|NODE_OPTIONS|NODE_ENV|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

async function freePorts(): Promise<Readonly<Record<string, string>>> {
  const servers = await Promise.all(
    ["PORT", "PORT_2", "PORT_3"].map(async (name) => [name, await listening()] as const),
  );
  const ports = servers.map(([name, server]) => {
    const address = server.address();
    server.close();
    return [name, typeof address === "object" ? String(address?.port) : ""];
  });
  return Object.fromEntries(ports);
}

async function listening() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Signals the whole group; false: it has no process any more. */
function stop(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return group !== undefined && process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** Until the group has no process; what does not end within half a minute is killed. */
async function gone(group: number | undefined): Promise<void> {
  const killAt = performance.now() + 30_000;
  while (stop(group, 0)) {
    if (performance.now() > killAt) stop(group, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
