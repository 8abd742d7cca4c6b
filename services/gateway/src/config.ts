import { mostSeconds, mostToolCalls } from "@microremed/contracts";
import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** Names separated by commas. */
const List = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .refine((all) => all.every((one) => URL.canParse(one)), "URLs separated by commas");

/** The gateway's environment variables beyond those of every service. */
export const gatewayConfig = {
  GATEWAY_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("address that it listens on; 0.0.0.0: every address of the machine"),
  GATEWAY_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(7070)
    .describe("port that it listens on; 0: any free port, named in the log"),
  GATEWAY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("address by which others reach it, where that is another one, e.g. https://range.example.org"),
  GATEWAY_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of its certificate: it then speaks HTTPS only; needs GATEWAY_KEY_FILE"),
  GATEWAY_KEY_FILE: z.string().min(1).optional().describe("PEM file of that certificate's key"),
  GATEWAY_ORIGINS: List.optional().describe(
    "web pages (https://host[:port], separated by commas) whose scripts may call it; default: none but its own",
  ),
  GATEWAY_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe("proxies before it, whose X-Forwarded-For says where a request comes from"),
  GATEWAY_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(4000)
    .describe("most connections at once; further ones are closed"),
  GATEWAY_REQUESTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(64)
    .describe("most requests under way of one token at this replica, streams of events included"),
  GATEWAY_AGENT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostSeconds)
    .default(7200)
    .describe("most `budgets.seconds` that a session of a token for agents may ask for, for each problem"),
  GATEWAY_AGENT_CALLS: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostToolCalls)
    .default(1000)
    .describe("most `budgets.toolCalls` and `budgets.probeRounds` that it may ask for, for each problem"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with your own environments (YAML)"),
  ...catalogueConfig,
};

/** The parsed values of `gatewayConfig`. */
export type GatewayConfig = z.output<z.ZodObject<typeof gatewayConfig>>;
