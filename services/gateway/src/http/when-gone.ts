import type { FastifyReply } from "fastify";

/** Aborted when the connection is closed before the answer: the caller is gone. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.on("close", () => gone.abort());
  return gone.signal;
}
