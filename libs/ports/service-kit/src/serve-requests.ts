import type { Bus, MessageContext } from "@microremed/bus";
import { type Party, type RequestTo, requestsTo } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { z } from "zod";

/** What a party answers to each request that is addressed to it: the compiler names the one that is missing. */
export type RequestHandlers<P extends Party> = {
  readonly [M in RequestTo<P> as M["name"]]: (
    request: z.output<M["schema"]>,
    context: MessageContext,
  ) => Promise<z.input<NonNullable<M["reply"]>>>;
};

/** Serves every request that is addressed to a party under one subject for all. */
export async function serveRequests<P extends Party>(
  bus: Pick<Bus, "serve">,
  party: P,
  handlers: RequestHandlers<NoInfer<P>>,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const table = handlers as Readonly<
    Record<string, (request: unknown, context: MessageContext) => Promise<unknown>>
  >;
  for (const { name, subject, schema } of requestsTo(party)) {
    const handler = table[name];
    if (handler === undefined) {
      throw terminal(
        "internal",
        `service ${party} has no handler for ${name}: add one where it calls serveRequests`,
      );
    }
    starting.use(await bus.serve(subject, party, schema, handler));
  }
  return starting.move();
}
