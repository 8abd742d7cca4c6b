import type { Msg } from "@nats-io/nats-core";
import { expect, test } from "vitest";
import { deliveryOf } from "./delivery.ts";

const message = (reply: string, sent: string[] = []): Msg =>
  ({
    subject: "a.b",
    data: new Uint8Array(),
    reply,
    respond: (text: string) => sent.push(text) > 0,
  }) as never;

const link = { turn: async () => {} };
const expected = { stream: "COMMANDS", seq: 41, count: 3, storedAt: "1700000000000000001" };

test("reads what the server says of a delivery, with and without a domain", () => {
  expect(deliveryOf(link, message("$JS.ACK.COMMANDS.stub.3.41.7.1700000000000000001.0"))).toMatchObject(
    expected,
  );
  const withDomain = "$JS.ACK.hub.HASH.COMMANDS.stub.3.41.7.1700000000000000001.0.token";
  expect(deliveryOf(link, message(withDomain))).toMatchObject(expected);
});

test("refuses a message that JetStream did not deliver", () => {
  expect(() => deliveryOf(link, message("_INBOX.x"))).toThrow("not a delivery");
});

test("answers the server what it understands, delays in nanoseconds", async () => {
  const sent: string[] = [];
  const delivery = deliveryOf(link, message("$JS.ACK.S.c.1.1.1.1.0", sent));
  await delivery.ack();
  delivery.nak(250);
  delivery.working();
  delivery.term();
  expect(sent).toEqual(["+ACK", '-NAK {"delay":250000000}', "+WPI", "+TERM"]);
});
