import { type ExperimentRequestInput, SubmitReply, subjects } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { decode } from "./codec.ts";
import type { Publish } from "./publish.ts";
import { replyToHeader } from "./reply.ts";
import type { Transport } from "./transport.ts";

/**
 * Submits an experiment and waits for the scheduler's answer.
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
  const cancel = transport.timers.after(timeoutMs, () => answered.resolve(undefined));
  try {
    await publish(subjects.submit, request, { headers: { [replyToHeader]: inbox } });
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
