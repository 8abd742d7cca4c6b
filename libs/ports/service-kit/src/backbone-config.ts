import { z } from "zod";

function tlsFiles<P extends "NATS" | "REDIS">(prefix: P, when: string) {
  const file = (description: string) => z.string().min(1).optional().meta({ description });
  return {
    [`${prefix}_CA_FILE`]: file(`PEM file of the CA that signed the server's certificate; ${when}`),
    [`${prefix}_CERT_FILE`]: file("PEM file of the service's own certificate, if the server requires one"),
    [`${prefix}_KEY_FILE`]: file("PEM file of that certificate's key"),
  } as Record<`${P}_CA_FILE` | `${P}_CERT_FILE` | `${P}_KEY_FILE`, ReturnType<typeof file>>;
}

/** The environment variables of every service. */
export const backboneConfig = {
  NATS_URL: z
    .string()
    .default("nats://127.0.0.1:4222")
    .meta({
      description: "NATS servers, separated by commas; tls:// encrypts",
      examples: ["nats://127.0.0.1:4222"],
    }),
  NATS_USER: z.string().optional().meta({ description: "user name at NATS, with NATS_PASSWORD" }),
  NATS_PASSWORD: z.string().optional().meta({ description: "password at NATS, with NATS_USER" }),
  ...tlsFiles("NATS", "TLS is on with tls:// in NATS_URL, or if the server requires it"),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .default("redis://127.0.0.1:6379")
    .meta({
      description: "Redis server, user and password included; rediss:// encrypts",
      examples: ["redis://scheduler:password@127.0.0.1:6379"],
    }),
  ...tlsFiles("REDIS", "TLS is on with rediss:// in REDIS_URL"),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"])
    .default("info")
    .meta({ description: "lowest severity of the log lines to write", examples: ["info"] }),
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
    .meta({
      description: "port of /healthz, /readyz and /metrics; 0: any free port, named in the log",
      examples: ["9090"],
    }),
} as const;
