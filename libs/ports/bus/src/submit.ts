import { randomUUID } from "node:crypto";
import { type ExperimentRequestInput, SubmitReply, subjects } from "@microremed/contracts";
import { AppError, retryable } from "@microremed/core";
import { decode } from "./codec.ts";
import type { Publish } from "./publish.ts";
import { replyToHeader } from "./reply.ts";
import type { Transport } from "./transport.ts";

/** Of a server that is busy, or was restarted. */
const mostTries = 3;
const pauseMs = 500;

/**
 * Submits an experiment and waits for the scheduler's answer, `timeoutMs` from when the request is stored. What the server does
 * not confirm is sent again with the same id, so that it is stored once.
 *
 * What a client without this package gets: publishing JSON to `microremed.experiments.submit` stores the request, and
 * a plain reply subject (`nats request`) is answered by JetStream itself with `{"stream":"EXPERIMENTS","seq":N}`, which
 * says only that the request is stored. The scheduler's own answer, a `SubmitReply`, goes to the inbox named in the
 * header `Microremed-Reply-To`; and in any case an event on `microremed.events.<id>.-.experiment-started` or
 * `microremed.events.<id, or "rejected" when the request has no usable id>.-.experiment-rejected` says what became of it.
 */
export async function submit(
  transport: Transport,
  publish: Publish,
  request: ExperimentRequestInput,
  timeoutMs: number,
): Promise<SubmitReply> {
  await transport.whenConnected(timeoutMs);
  const inbox = transport.createInbox();
  const answered = Promise.withResolvers<Uint8Array | undefined>();
  const subscription = transport.subscribe(inbox, undefined, ({ data }) => answered.resolve(data));
  subscription.ended.then(() => answered.resolve(undefined), answered.reject);
  let cancel = (): void => {};
  try {
    const options = { msgId: randomUUID(), headers: { [replyToHeader]: inbox } };
    await persistently(transport, timeoutMs, () => publish(subjects.submit, request, options));
    cancel = transport.timers.after(timeoutMs, () => answered.resolve(undefined));
    const answer = await answered.promise;
    if (answer) return decode(SubmitReply, inbox, answer);
  } finally {
    cancel();
    subscription.unsubscribe();
  }
  throw retryable(
    "deadline-exceeded",
    `no scheduler answered within ${timeoutMs / 1000} s; the request is stored and starts when one runs`,
  );
}

/** Does repeatable work again where it fails for what may be over soon. Throws what it threw last. */
async function persistently(
  { timers }: Pick<Transport, "timers">,
  withinMs: number,
  work: () => Promise<void>,
): Promise<void> {
  const deadline = timers.now() + withinMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (thrown) {
      const { severity } = AppError.from(thrown);
      if (severity !== "retryable" || tries >= mostTries || timers.now() >= deadline) throw thrown;
    }
    await new Promise<void>((resolve) => timers.after(pauseMs, resolve));
  }
}
