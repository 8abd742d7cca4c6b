import { expect, test } from "vitest";
import { z } from "zod";
import { decode, encode } from "./codec.ts";

const Order = z.strictObject({
  name: z.string(),
  lines: z.array(z.discriminatedUnion("kind", [z.strictObject({ kind: z.literal("a"), n: z.int() })])),
});
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("refuses to send what the schema does not know", () => {
  expect(() => encode(Order, "s", { name: "x", lines: [], extra: 1 })).toThrow(/extra/);
});

test("drops fields that a newer sender added, at any depth", () => {
  const text = JSON.stringify({ name: "x", later: 1, lines: [{ kind: "a", n: 1, later: 2 }] });
  expect(decode(Order, "s", bytes(text))).toEqual({ name: "x", lines: [{ kind: "a", n: 1 }] });
});

test("names every wrong field of what it received", () => {
  expect(() => decode(Order, "s", bytes('{"name":1,"lines":"no"}'))).toThrow(/name[\s\S]*lines/);
  expect(() => decode(Order, "s", bytes("{"))).toThrow(/not JSON/);
});

test("hands over a text as it came", () => {
  expect(decode(z.string(), "s", bytes("{not json"), "text")).toBe("{not json");
});
