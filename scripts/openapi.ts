import { createHash } from "node:crypto";
import { createMemoryBroker, createMemoryBus } from "@microremed/bus/memory";
import { silentLogger } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import { gatewayConfig, startGateway } from "@microremed/service-gateway";
import { parseConfig } from "@microremed/service-kit";
import { createMemoryState } from "@microremed/state/memory";

/** The OpenAPI document of the gateway as text: what clients are generated from. */
export async function openApiDocument(): Promise<string> {
  await using state = createMemoryState();
  const bus = createMemoryBus({ broker: createMemoryBroker() });
  const config = parseConfig(gatewayConfig, { GATEWAY_PORT: "0" });
  await using gateway = await startGateway({
    ...{ bus, state: state.connect(), config },
    catalogue: await loadCatalogue(),
    log: silentLogger,
  });
  const reply = await fetch(`${gateway.url}/openapi.json`, { signal: AbortSignal.timeout(60_000) });
  return `${JSON.stringify(await reply.json(), null, 2)}\n`;
}

/** The types that are generated from it. */
export const clientTypes = "clients/typescript/src/openapi.ts";

/** What the first line of the types names: SHA-256 of the document that they are of, but for its version. */
export function digestOfDocument(document: string): string {
  const { info: _, ...rest } = JSON.parse(document) as { readonly info: unknown };
  return createHash("sha256").update(JSON.stringify(rest)).digest("hex");
}
