import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { alarmedAnswer, calmAnswer, drawnAnswer, JsonSchema } from "./answers.ts";

const Place = z.strictObject({ kind: z.enum(["Deployment", "Service"]), name: z.string() });
const Detection = z.strictObject({ anomaly: z.boolean() });
const Localization = z.strictObject({ services: z.array(z.string()), worst: Place.nullable() });
const Analysis = z.strictObject({
  level: z.enum(["Hardware", "Application"]),
  replicas: z.int().min(1).max(3),
});

const json = (schema: z.ZodType): JsonSchema => JsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));

test("calm says no, none and nothing; alarmed yes, with what is known", () => {
  expect(calmAnswer(json(Detection))).toEqual({ anomaly: false });
  expect(alarmedAnswer(json(Detection), undefined)).toEqual({ anomaly: true });
  expect(calmAnswer(json(Localization))).toEqual({ services: [], worst: null });
  expect(alarmedAnswer(json(Localization), "cart")).toEqual({
    services: ["cart"],
    worst: { kind: "Deployment", name: "cart" },
  });
});

test("every answer fits its schema, and what is drawn depends on the seed alone", () => {
  for (const schema of [Detection, Localization, Analysis]) {
    expect(schema.safeParse(calmAnswer(json(schema))).success).toBe(true);
    expect(schema.safeParse(alarmedAnswer(json(schema), "cart")).success).toBe(true);
    for (let seed = 0; seed < 50; seed++) {
      const drawn = drawnAnswer(json(schema), createRng(seed));
      expect(schema.safeParse(drawn).success).toBe(true);
      expect(drawnAnswer(json(schema), createRng(seed))).toEqual(drawn);
    }
  }
  const anomalies = Array.from({ length: 200 }, (_, seed) => drawnAnswer(json(Detection), createRng(seed)));
  const yes = anomalies.filter(({ anomaly }) => anomaly).length;
  expect(yes).toBeGreaterThan(60);
  expect(yes).toBeLessThan(140);
});
