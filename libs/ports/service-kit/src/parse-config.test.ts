import { AppError } from "@microremed/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { backboneConfig } from "./backbone-config.ts";
import { parseConfig } from "./parse-config.ts";

const shape = { ...backboneConfig, CONCURRENCY: z.coerce.number().int().min(1).default(4) };

test("fills in defaults and takes an empty variable for one that is not set", () => {
  expect(parseConfig(shape, { CONCURRENCY: "7", LOG_LEVEL: "" })).toMatchObject({
    CONCURRENCY: 7,
    LOG_LEVEL: "info",
    NATS_URL: "nats://127.0.0.1:4222",
  });
});

test("names every wrong variable with what it is for and an example", () => {
  let error: unknown;
  try {
    parseConfig(shape, { HEALTH_PORT: "many", REDIS_URL: "http://x", CONCURRENCY: "0" });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(AppError);
  const { message, code } = AppError.from(error);
  expect(code).toBe("invalid-config");
  for (const text of [
    "HEALTH_PORT",
    "REDIS_URL",
    "CONCURRENCY",
    "redis://scheduler:password@",
    "any free port",
  ]) {
    expect(message).toContain(text);
  }
});
