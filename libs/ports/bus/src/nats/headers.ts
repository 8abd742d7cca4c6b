import { headers, type MsgHdrs } from "@nats-io/nats-core";
import type { Headers } from "../transport.ts";

/** Headers as the client package has them. */
export function natsHeaders(given: Headers): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(given)) result.set(name, value);
  return result;
}

/** Headers by their names in lower case, the first value of each. */
export function plainHeaders(given: MsgHdrs | undefined): Headers {
  return Object.fromEntries(
    [...(given ?? [])].map(([name, values]) => [name.toLowerCase(), values[0] ?? ""]),
  );
}
