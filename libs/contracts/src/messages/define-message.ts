import type { z } from "zod";
import type { Party } from "../parties.ts";
import { subjectToken } from "../subject-token.ts";

/**
 * One kind of message. The catalogue of these drives streams, rights, the types of handlers and the reference: nothing
 * of it is said again elsewhere.
 */
export interface Message<
  Name extends string = string,
  Subject extends string = string,
  To extends Party = Party,
  Schema extends z.ZodType = z.ZodType,
  Reply extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** As in the reference and of its JSON schema, e.g. `ProbeRequest`. */
  readonly name: Name;
  /** Grows when readers of the old shape can no longer read it. */
  readonly version: number;
  /** `microremed.<kind>...`; what differs from message to message is in angle brackets, one token each. */
  readonly subject: Subject;
  readonly from: readonly Party[];
  readonly to: readonly To[];
  readonly schema: Schema;
  /** Of request and reply, which have no stream. */
  readonly reply: Reply;
  readonly doc: string;
}

type Definition<M extends Message> = Omit<M, "reply"> & { readonly reply?: M["reply"] };

/** Declares a message that waits in a stream, or a request with its reply; nothing else happens. */
export function defineMessage<
  const Name extends string,
  const Subject extends string,
  const To extends Party,
  Schema extends z.ZodType,
  Reply extends z.ZodType | undefined = undefined,
>(message: Definition<Message<Name, Subject, To, Schema, Reply>>): Message<Name, Subject, To, Schema, Reply> {
  return { ...message, reply: message.reply as Reply };
}

/** The names in angle brackets of a subject. */
export type Places<Subject extends string> = Subject extends `${string}<${infer Place}>${infer Rest}`
  ? Place | Places<Rest>
  : never;

/** The subject of one message. */
export function subjectOf<S extends string>(
  { subject }: { readonly subject: S },
  places: Readonly<Record<Places<S>, string>>,
): string {
  const values: Readonly<Record<string, string>> = places;
  return subject.replace(/<([a-z]+)>/g, (_, place: string) => subjectToken(values[place] ?? ""));
}

/** The subject of all of them, as NATS filters by it. */
export function patternOf({ subject }: Pick<Message, "subject">): string {
  return subject.replace(/<[a-z]+>/g, "*");
}
