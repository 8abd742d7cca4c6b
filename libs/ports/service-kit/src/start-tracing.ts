import type { ServiceLogger } from "./logger.ts";
import { parseConfig } from "./parse-config.ts";
import { noTracing, type Tracing } from "./tracing.ts";
import { tracingConfig, wantsTraces } from "./tracing-config.ts";

/**
 * Tracing as the standard variables (`OTEL_...`) ask for; off unless they do, and OpenTelemetry's SDK is not even
 * loaded then. Throws `invalid-config` that names every wrong variable.
 */
export async function startTracing(
  service: string,
  variables: Readonly<Record<string, string | undefined>>,
  log: ServiceLogger,
): Promise<Tracing> {
  const config = parseConfig(tracingConfig, variables);
  for (const name of ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"]) {
    for (const secret of headerValues(variables[name] ?? "")) log.hide(secret);
  }
  if (!wantsTraces(config)) return noTracing;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces(service, config, log);
}

/** Values of `name=value,name=value`, as they are written and as they are sent. */
function headerValues(list: string): string[] {
  return list.split(",").flatMap((pair) => {
    const value = pair.slice(pair.indexOf("=") + 1).trim();
    return [value, decoded(value)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
