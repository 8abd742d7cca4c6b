import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { alarmedAnswer, asksForText, calmAnswer, drawnAnswer, JsonSchema } from "./answers.ts";

const Place = z.strictObject({ kind: z.enum(["Deployment", "Service"]), name: z.string() });
const Detection = z.strictObject({ anomaly: z.boolean() });
const Localization = z.strictObject({ services: z.array(z.string()), worst: Place.nullable() });
const Analysis = z.strictObject({
  level: z.enum(["Hardware", "Application"]),
  replicas: z.int().min(1).max(3),
});

const Nullable = z.strictObject({ kind: z.string().nullable(), name: z.string().nullable() });
const Numbers = z.strictObject({ count: z.int(), share: z.number(), debt: z.int().max(-5) });
const seen = [
  { kind: "Deployment", name: "cart" },
  { kind: "StatefulSet", name: "db" },
];

const json = (schema: z.ZodType): JsonSchema => JsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));

test("calm says no, none and nothing; alarmed yes, with what is known", () => {
  expect(calmAnswer(json(Detection))).toEqual({ anomaly: false });
  expect(alarmedAnswer(json(Detection), undefined)).toEqual({ anomaly: true });
  expect(calmAnswer(json(Localization))).toEqual({ services: [], worst: null });
  expect(alarmedAnswer(json(Localization), { name: "cart" })).toEqual({
    services: ["cart"],
    worst: { kind: "Deployment", name: "cart" },
  });
});

test("every answer fits its schema, and what is drawn depends on the seed alone", () => {
  for (const schema of [Detection, Localization, Analysis, Nullable, Numbers]) {
    expect(schema.safeParse(calmAnswer(json(schema))).success).toBe(true);
    expect(schema.safeParse(alarmedAnswer(json(schema), { name: "cart" })).success).toBe(true);
    for (let seed = 0; seed < 50; seed++) {
      const drawn = drawnAnswer(json(schema), createRng(seed), seen);
      expect(schema.safeParse(drawn).success).toBe(true);
      expect(drawnAnswer(json(schema), createRng(seed), seen)).toEqual(drawn);
    }
  }
  const anomalies = Array.from({ length: 200 }, (_, seed) =>
    drawnAnswer(json(Detection), createRng(seed), []),
  );
  const yes = anomalies.filter(({ anomaly }) => anomaly).length;
  expect(yes).toBeGreaterThan(60);
  expect(yes).toBeLessThan(140);
});

test("a nullable text, which zod writes as a list of types, is nothing, the place, or one that was seen", () => {
  expect(calmAnswer(json(Nullable))).toEqual({ kind: null, name: null });
  const [cart] = seen;
  expect(alarmedAnswer(json(Nullable), cart)).toEqual(cart);
  expect(alarmedAnswer(json(Nullable), undefined)).toEqual({ kind: "", name: "" });
  const drawn = Array.from({ length: 100 }, (_, seed) => drawnAnswer(json(Nullable), createRng(seed), seen));
  expect(new Set(drawn.map(({ name }) => name))).toEqual(new Set([null, "cart", "db"]));
  const blind = drawnAnswer(json(z.strictObject({ name: z.string() })), createRng(1), []);
  expect(blind).toEqual({ name: "" });
});

test("words are asked for where a schema does not list them", () => {
  expect([Detection, Analysis, Numbers].map((schema) => asksForText(json(schema)))).toEqual([
    false,
    false,
    false,
  ]);
  expect([Localization, Nullable].map((schema) => asksForText(json(schema)))).toEqual([true, true]);
});
