import type { z } from "zod";
import type { Party } from "../parties.ts";
import { stageNames, stages } from "../stages/stages.ts";
import { type Message, type Places, patternOf } from "./define-message.ts";
import * as files from "./index.ts";

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "subject" in value && "schema" in value;
}

/** In the order in which kinds of messages come up in an experiment. */
const kinds = ["experiments", "commands", "results", "events", "deadletters", "rpc"];

/** Every message of the product: those of the files beside this one, and the commands of the stages. */
export const catalog: readonly Message[] = [
  ...Object.values<unknown>(files).filter(isMessage),
  ...stageNames.map((name) => stages[name].message),
].sort(byPath);

function byPath(a: Message, b: Message): number {
  return kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b));
}

/** `commands`, `rpc`: the second token of its subject. */
export function kindOf({ subject }: Pick<Message, "subject">): string {
  return subject.split(".")[1] ?? "";
}

const bySubject = new Map(catalog.map((message) => [keyOf(patternOf(message)), message]));

/** `commands.act`, `rpc.probe`, `results.*`: identifies a kind of message. */
function keyOf(subject: string): string {
  return subject.split(".").slice(1, 3).join(".");
}

/** The kind of message that travels under a subject. */
export function messageOfSubject(subject: string): Message | undefined {
  return bySubject.get(keyOf(subject)) ?? bySubject.get(`${kindOf({ subject })}.*`);
}

type Files = typeof files;
type FileMessage = { [N in keyof Files]: Files[N] extends Message ? Files[N] : never }[keyof Files];
type Request<P extends Party, M> = M extends { readonly to: readonly (infer To)[]; readonly reply: z.ZodType }
  ? P extends To
    ? M extends { readonly subject: infer S extends string }
      ? [Places<S>] extends [never]
        ? M
        : never
      : never
    : never
  : never;

/** A request that is addressed to a party under one subject for all. */
export type RequestTo<P extends Party> = Request<P, FileMessage>;

/** The requests that are addressed to a party under one subject for all, not one for each cluster or episode. */
export function requestsTo(party: Party): readonly Message[] {
  return catalog.filter(({ to, reply, subject }) => reply && to.includes(party) && !subject.includes("<"));
}
