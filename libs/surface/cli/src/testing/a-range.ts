import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { readGatewayFile } from "../gateway/gateway-file.ts";

const microremed = join(import.meta.dirname, "../../bin/microremed.mjs");

/** A range with a gateway that `microremed up` has started. Disposing it ends it as Ctrl-C does. */
export interface RangeUnderTest extends AsyncDisposable {
  readonly url: string;
  /** What the command has printed until the range was ready. */
  readonly said: string;
  /** `.microremed` of its folder. */
  readonly directory: string;
  /** The texts of its own tokens. */
  readonly researcher: string;
  readonly agent: string;
  /** Asks for a path below `/v1`. */
  ask(path: string, token: string, init?: RequestInit): Promise<Response>;
}

/** Starts a range with a gateway from a folder of its own. `args`: further options of `up`; one arena, unless they say otherwise. */
export async function upRange(folder: string, ...args: string[]): Promise<RangeUnderTest> {
  const { NATS_URL: _, REDIS_URL: __, ...env } = process.env;
  const arenas = args.includes("--arenas") ? [] : ["--arenas", "1"];
  const command = ["up", "--gateway", "0", ...arenas, ...args];
  const running = execa(process.execPath, [microremed, ...command], {
    ...{ cwd: folder, env, extendEnv: false, reject: false },
  });
  const ready = Promise.withResolvers<void>();
  let said = "";
  running.stderr.on("data", (chunk: Buffer) => {
    said += String(chunk);
    if (said.includes("Ctrl-C")) ready.resolve();
  });
  await Promise.race([ready.promise, running.then(({ stderr }) => ready.reject(new Error(stderr)))]);
  await ready.promise;
  const directory = join(folder, ".microremed");
  const tokenIn = (name: string): string => readFileSync(join(directory, `${name}.token`), "utf8").trim();
  const { url = "" } = readGatewayFile(directory) ?? {};
  return {
    ...{ url, said, directory },
    researcher: tokenIn("researcher"),
    agent: tokenIn("agent"),
    ask: (path, token, init = {}) =>
      fetch(`${url}/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      }),
    [Symbol.asyncDispose]: async () => {
      running.kill("SIGINT");
      await running;
    },
  };
}
