import type { StoredMessage, Transport } from "../transport.ts";
import { takes } from "./filters.ts";
import type { MemoryStream } from "./memory-stream.ts";

/** What a stream has of a filter in order; with `follow` also what comes, until the signal aborts. */
export async function* readMemory(
  stream: MemoryStream,
  filter: string,
  { signal, follow }: Parameters<Transport["read"]>[2],
): AsyncGenerator<StoredMessage> {
  let wake = (): void => {};
  const onChange = (): void => wake();
  const stopWatching = stream.watch({ added: onChange });
  signal.addEventListener("abort", onChange);
  const last = stream.lastSeq;
  const [oldest] = stream.all();
  try {
    for (let seq = oldest?.seq ?? last + 1; !signal.aborted && (follow || seq <= last); ) {
      if (seq > stream.lastSeq) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const message = stream.get(seq++);
      if (message && takes(filter, message.subject)) yield message;
    }
  } finally {
    stopWatching();
    signal.removeEventListener("abort", onChange);
  }
}
