import { expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf } from "./offer.ts";

test("the same schema is written once, and others are their own", () => {
  const [one, other] = [z.object({ a: z.string() }), z.object({ a: z.int() })];
  expect(jsonSchemaOf(one)).toBe(jsonSchemaOf(one));
  expect(jsonSchemaOf(one)).toMatchObject({ properties: { a: { type: "string" } } });
  expect(jsonSchemaOf(other)).toMatchObject({ properties: { a: { type: "integer" } } });
});
