import type { ApiContext } from "../context/context.ts";

/** The client's end of one forwarded connection, whatever protocol carries it. */
export interface Tunnel {
  readonly port: number;
  readonly input: AsyncIterable<Uint8Array>;
  output(chunk: Uint8Array): void;
  /** Reports why the connection could not be made. */
  fail(why: string): void;
  /** Closes our side. */
  end(): void;
  readonly signal: AbortSignal;
}

/** Carries one connection to a pod to its end. Never rejects: the client hears of every failure. */
export async function runForward(
  context: ApiContext,
  target: { readonly namespace: string; readonly pod: string },
  tunnel: Tunnel,
): Promise<void> {
  const { port, input, output, signal } = tunnel;
  try {
    const refused = await context.forwardPort({ ...target, port, input, output, signal });
    if (refused !== undefined) tunnel.fail(refused);
  } catch (error) {
    if (!signal.aborted) {
      context.log.error({ error: String(error), ...target, port }, "port-forward failed");
      tunnel.fail(`error forwarding port ${port} to pod ${target.pod}: ${String(error)}`);
    }
  } finally {
    tunnel.end();
  }
}
