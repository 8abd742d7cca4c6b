import { type ExperimentRequestInput, SubmitReply, subjects } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { createInbox } from "@nats-io/nats-core";
import { decode } from "../codec.ts";
import type { Link } from "./link.ts";
import type { Publish } from "./publish.ts";
import { replyToHeader } from "./reply.ts";

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
  link: Link,
  publish: Publish,
  request: ExperimentRequestInput,
  timeoutMs: number,
): Promise<SubmitReply> {
  await link.whenConnected(timeoutMs);
  const inbox = createInbox(link.inboxPrefix);
  const answers = link.connection.subscribe(inbox, { max: 1 });
  const timer = setTimeout(() => answers.unsubscribe(), timeoutMs);
  try {
    await publish(subjects.submit, request, { headers: { [replyToHeader]: inbox } });
    for await (const answer of answers) return decode(SubmitReply, inbox, answer.data);
  } finally {
    clearTimeout(timer);
    answers.unsubscribe();
  }
  throw retryable(
    "deadline-exceeded",
    `no scheduler answered within ${timeoutMs / 1000} s; the request is stored and starts when one runs`,
  );
}
