import { createRng } from "@microremed/core";
import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import type { Attempted, ContainerRuntime, Exec, Network } from "@microremed/sim-machine";
import { createExec } from "../exec-in-container.ts";
import { createComputingTracker } from "../track-computing.ts";

/** What an exec did. */
export interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly bytes: Buffer;
  readonly err: string;
  readonly seconds: number;
}

/** One container and a way to exec in it, with time that goes on while something runs. */
export function createShell(change: (container: ContainerRuntime) => Partial<ContainerRuntime> = () => ({})) {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  const fresh = sandbox?.containers.get("cart");
  if (!sandbox || !fresh) throw new Error("no container");
  const container: ContainerRuntime = { ...fresh, ...change(fresh) };
  sandbox.containers.set("cart", container);
  const reply: { current: (n: number) => Attempted } = {
    current: () => ({ ok: true, elapsedMs: 0.4, error: "" }),
  };
  let echoes = 0;
  const attempt = (): Attempted => reply.current(echoes++);
  const network: Network = {
    tcpConnect: attempt,
    httpGet: attempt,
    ping: attempt,
    resolve: (_from, host) => (/^[\d.]+$/.test(host) ? [host] : host === "redis" ? ["10.43.0.7"] : []),
    dialAtStart: () => undefined,
    callsOfJob: () => [],
    callOfJob: () => ({ ok: true, elapsedMs: 1, error: "" }),
    execProbe: attempt,
  };
  const computing = createComputingTracker(world.loop);
  const exec: Exec = computing.track(
    createExec({
      onComputing: computing.onComputing,
      background: (request) => void exec(request),
      loop: computing.loop,
      machine: world.machine,
      network,
      rng: createRng(5),
      nodeMemory: () => 16 * 2 ** 30,
      availableMemory: () => 16 * 2 ** 30,
      killContainer: (pod, killed, code) => world.killed.push(`${pod.name}/${killed.name} ${code}`),
    }),
  );
  /** Lets what computes go on, until it waits for the time. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 1 || (computing.isComputing() && turn < 10_000); turn++)
      await (computing.elsewhere() ?? new Promise((resolve) => setImmediate(resolve)));
  }
  async function run(
    command: readonly string[],
    stdin?: string | AsyncIterable<Uint8Array>,
    signal = new AbortController().signal,
  ): Promise<Ran> {
    const startedAt = world.loop.now();
    const chunks = { out: [] as Buffer[], err: [] as Buffer[] };
    let done = false;
    const input = async function* () {
      if (typeof stdin === "object") yield* stdin;
      else yield Buffer.from(stdin ?? "");
    };
    const result = exec({
      namespace: "shop",
      pod: "cart",
      container: "cart",
      command,
      stdin: stdin === undefined ? undefined : input(),
      tty: false,
      stdout: (chunk) => chunks.out.push(Buffer.from(chunk)),
      stderr: (chunk) => chunks.err.push(Buffer.from(chunk)),
      signal,
    }).finally(() => {
      done = true;
    });
    for (let step = 0; !done && step < 100_000; step++) {
      await settle();
      if (!done) world.loop.advance(10);
    }
    const ended = await result;
    return {
      code: "error" in ended ? ended.error : ended.exitCode,
      out: Buffer.concat(chunks.out).toString(),
      bytes: Buffer.concat(chunks.out),
      err: Buffer.concat(chunks.err).toString(),
      seconds: (world.loop.now() - startedAt) / 1000,
    };
  }
  return { run, settle, world, sandbox, container, reply };
}

/** Changes a container to one with GNU programs. */
export const gnu = (container: ContainerRuntime): Partial<ContainerRuntime> => ({
  ...(container.behaviour && {
    behaviour: {
      ...container.behaviour,
      shell: "bash",
      tools: ["coreutils", "bash", "grep", "sed", "gzip", "tar", "ps", "ping", "curl"],
    },
  }),
});
