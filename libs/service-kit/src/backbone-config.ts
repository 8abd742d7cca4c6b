import { z } from "zod";

/** The environment variables of every service. */
export const backboneConfig = {
  NATS_URL: z
    .string()
    .default("nats://127.0.0.1:4222")
    .meta({ description: "NATS servers, separated by commas", examples: ["nats://127.0.0.1:4222"] }),
  NATS_USER: z.string().optional().meta({ description: "user name at NATS, with NATS_PASSWORD" }),
  NATS_PASSWORD: z.string().optional().meta({ description: "password at NATS, with NATS_USER" }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .default("redis://127.0.0.1:6379")
    .meta({
      description: "Redis server, credentials included",
      examples: ["redis://:password@127.0.0.1:6379"],
    }),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"])
    .default("info")
    .meta({ description: "least severity of the log lines written", examples: ["info"] }),
  HEALTH_HOST: z
    .string()
    .default("127.0.0.1")
    .meta({ description: "address that /healthz, /readyz and /metrics listen on", examples: ["0.0.0.0"] }),
  HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .meta({ description: "their port; 0: any free one, named in the log", examples: ["9090"] }),
} as const;
