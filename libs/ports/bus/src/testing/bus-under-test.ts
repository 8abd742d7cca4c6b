import { streams, subjects } from "@microremed/contracts";
import { z } from "zod";
import type { Bus, BusOptions, ConsumeOptions, Handler, SubjectsConsumption } from "../bus.ts";
import type { StoredDeadLetter } from "../dead-letters.ts";

/** The environment of a driver under test: its own server, or a replacement, with its streams. */
export interface BusUnderTest extends AsyncDisposable {
  /** A client of its own; the caller disposes it. */
  connect(options?: Partial<BusOptions>): Promise<Bus>;
  /** Stores bytes as they are, as any client may. */
  storeRaw(subject: string, data: Uint8Array): Promise<void>;
}

/** What the parts of the suite share. */
export interface SuiteContext {
  readonly bus: () => Bus;
  readonly connect: BusUnderTest["connect"];
  readonly storeRaw: BusUnderTest["storeRaw"];
}

const Restore = z.strictObject({ episodeId: z.string() }).loose();
export type RestoreSeen = z.output<typeof Restore>;

/** A restore command; `name` identifies it. */
export function restore(name: string) {
  return {
    experimentId: "exp-1",
    episodeId: `ep-${name}.0001`,
    trial: 1,
    attempt: 0,
    arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 1 },
    environment: "online-boutique",
    failure: "cpu-stress",
    target: "cartservice",
    timeoutSeconds: 10,
  };
}

/** Consumes the restore commands of a shard of the test's own. */
export async function consumeShard(
  bus: Bus,
  shard: string,
  handler: Handler<RestoreSeen>,
  options: Partial<ConsumeOptions<RestoreSeen>> = {},
): Promise<{ subject: string; consumption: SubjectsConsumption }> {
  const subject = subjects.command("restore", shard);
  const consumption = await bus.consume(
    {
      stream: streams.injector.name,
      durable: "tester",
      subjects: [subject],
      schema: Restore,
      concurrency: 2,
      ackWaitMs: 30_000,
      ...options,
    },
    handler,
  );
  return { subject, consumption };
}

/** The dead letters of messages of one subject, oldest first. */
export async function deadLettersOf(bus: Bus, subject: string): Promise<StoredDeadLetter[]> {
  const letters: StoredDeadLetter[] = [];
  for await (const letter of bus.deadLetters.list()) if (letter.subject === subject) letters.push(letter);
  return letters;
}

/** Bytes of a text. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
