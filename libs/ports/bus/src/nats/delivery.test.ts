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

const told = { stream: "COMMANDS", seq: 41, count: 3, storedAt: "1700000000000000001" };

test("reads what the server says of a delivery, with and without a domain", () => {
  expect(deliveryOf(message("$JS.ACK.COMMANDS.stub.3.41.7.1700000000000000001.0"))).toMatchObject(told);
  const withDomain = "$JS.ACK.hub.HASH.COMMANDS.stub.3.41.7.1700000000000000001.0.token";
  expect(deliveryOf(message(withDomain))).toMatchObject(told);
});

test("refuses a message that JetStream did not deliver", () => {
  expect(() => deliveryOf(message("_INBOX.x"))).toThrow("not a delivery");
});

test("tells the server what it understands, delays in nanoseconds", () => {
  const sent: string[] = [];
  const delivery = deliveryOf(message("$JS.ACK.S.c.1.1.1.1.0", sent));
  delivery.ack();
  delivery.nak(250);
  delivery.working();
  delivery.term();
  expect(sent).toEqual(["+ACK", '-NAK {"delay":250000000}', "+WPI", "+TERM"]);
});
