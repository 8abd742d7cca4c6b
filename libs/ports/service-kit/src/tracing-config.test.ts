import { expect, test } from "vitest";
import { parseConfig } from "./parse-config.ts";
import { startTracing } from "./start-tracing.ts";
import { noTracing } from "./tracing.ts";
import { tracingConfig, wantsTraces } from "./tracing-config.ts";

const wants = (variables: Record<string, string>) => wantsTraces(parseConfig(tracingConfig, variables));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

test("traces are off until an endpoint or an exporter is named, and can be turned off again", () => {
  expect(wants({})).toBe(false);
  expect(wants({ OTEL_TRACES_SAMPLER: "always_on" })).toBe(false);
  expect(wants(endpoint)).toBe(true);
  expect(wants({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" })).toBe(true);
  expect(wants({ OTEL_TRACES_EXPORTER: "otlp" })).toBe(true);
  expect(wants({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBe(false);
  expect(wants({ ...endpoint, OTEL_SDK_DISABLED: "True" })).toBe(false);
});

test("says what is wrong with a variable, and hides what the exporter's headers hold", async () => {
  const hidden: (string | undefined)[] = [];
  const ignore = () => {};
  const log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: ignore,
    hide: (s?: string) => hidden.push(s),
  };
  const wrong = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_EXPORTER_OTLP_ENDPOINT: "nowhere" };
  await expect(startTracing("x", wrong, log)).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringMatching(/OTEL_EXPORTER_OTLP_ENDPOINT[\s\S]*OTEL_EXPORTER_OTLP_PROTOCOL/),
  });
  const tracing = await startTracing("x", { OTEL_EXPORTER_OTLP_HEADERS: "a=secret%20one,b=two=2" }, log);
  expect(tracing).toBe(noTracing);
  expect(hidden).toEqual(expect.arrayContaining(["secret%20one", "secret one", "two=2"]));
});
