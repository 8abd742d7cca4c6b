import { executorConfig } from "@microremed/service-executor/config";
import { gatewayConfig } from "@microremed/service-gateway/config";
import { injectorConfig } from "@microremed/service-injector/config";
import { backboneConfig, tracingConfig } from "@microremed/service-kit";
import { remediatorConfig } from "@microremed/service-remediator/config";
import { schedulerConfig } from "@microremed/service-scheduler/config";
import { verifierConfig } from "@microremed/service-verifier/config";
import { z } from "zod";
import { plainToMarkdown } from "./plain-to-markdown.ts";
import { table } from "./table.ts";

/** One variable as JSON schema describes what may be written into it. */
interface Described {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

/** What each service reads beyond what all read, by its name. */
const services = {
  scheduler: schedulerConfig,
  injector: injectorConfig,
  remediator: remediatorConfig,
  executor: executorConfig,
  verifier: verifierConfig,
  gateway: gatewayConfig,
} as const;

/** The environment variables of every service: docs/reference/configuration.md. */
export function configurationReference(): string {
  return `${[
    "# Configuration",
    "Made from the services' schemas by `npm run docs:generate`; do not edit.",
    "Services are configured by environment variables. An empty variable counts as not set. A service refuses to start when a variable is wrong and names every wrong one. [The command line](cli.md#environment-variables) reads some of them too.",
    "## Every service",
    tableOf(backboneConfig),
    "## Traces",
    "OpenTelemetry's own variables, for every service. Its exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, `_TIMEOUT`, `_COMPRESSION`, `_CERTIFICATE`, `_CLIENT_CERTIFICATE` and `_CLIENT_KEY`, and its resource reads `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`. See [observability](../observability.md#traces).",
    tableOf(tracingConfig),
    ...Object.entries(services).flatMap(([name, shape]) => [`## ${name}`, tableOf(shape)]),
  ].join("\n\n")}\n`;
}

function tableOf(shape: z.ZodRawShape): string {
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(shape), { io: "input" });
  const rows = Object.entries(properties).map(([name, schema]) => {
    const described = schema as Described;
    return [`\`${name}\``, defaultOf(described, required.includes(name)), meaningOf(name, described)];
  });
  return table(["variable", "default", "meaning"], rows);
}

/** A description that explains its default wins: such a default may differ from machine to machine. */
function defaultOf({ default: value, description = "" }: Described, isRequired: boolean): string {
  if (isRequired) return "required";
  const isExplained = /\bdefault: /.test(description);
  if (isExplained || value === undefined || value === "") return "";
  return `\`${String(value)}\``;
}

function meaningOf(
  name: string,
  { description, enum: values, minimum, maximum, examples }: Described,
): string {
  if (description === undefined) throw new Error(`${name} has no description`);
  const choices = values ? `; one of ${values.map((value) => `\`${String(value)}\``).join(", ")}` : "";
  const range = minimum !== undefined && maximum !== undefined ? `; ${minimum} to ${maximum}` : "";
  const example = examples?.[0] === undefined ? "" : `; example: \`${String(examples[0])}\``;
  return `${plainToMarkdown(description)}${choices}${range}${example}`;
}
