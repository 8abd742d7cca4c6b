/** One line of a watch from its type and the JSON of its object. */
export type WatchLine = (eventType: string, json: Buffer) => Buffer;

const end = Buffer.from("}\n");

/** All watchers of a resource get a change one after another: its line is written once for all of them. */
export function createWatchLine(): WatchLine {
  let last: { readonly eventType: string; readonly json: Buffer; readonly line: Buffer } | undefined;
  return (eventType, json) => {
    if (last?.json !== json || last.eventType !== eventType) {
      const line = Buffer.concat([Buffer.from(`{"type":"${eventType}","object":`), json, end]);
      last = { eventType, json, line };
    }
    return last.line;
  };
}
