import type { Environment } from "./environment/environment.types.ts";
import { type Place, targetOf } from "./target.ts";

/** The configuration of a MongoDB server in a ConfigMap. */
export interface MongoConfig {
  readonly configMap: string;
  readonly key: string;
  /** As it is declared. */
  readonly text: string;
}

const tlsMode = /(\btls:\s*\n\s*mode:\s*)(\w+)/;

/** Such a configuration with another mode of TLS. */
export const withTlsMode = (text: string, mode: string): string => text.replace(tlsMode, `$1${mode}`);

/** The configuration of the server in a workload, if it has a certificate and TLS is off; undefined: there is none. */
export function mongoConfigOf(
  place: Place | undefined,
  { configMaps }: Environment,
): MongoConfig | undefined {
  if (place?.container.behaviour.runtime !== "mongodb") return undefined;
  for (const volume of Object.values(place.workload.volumes)) {
    if (volume.type !== "configMap") continue;
    for (const [key, text] of Object.entries(configMaps[volume.name] ?? {}))
      if (tlsMode.exec(text)?.[2] === "disabled" && text.includes("certificateKeyFile:"))
        return { configMap: volume.name, key, text };
  }
  return undefined;
}

/** The same of a target. Throws where there is none. */
export function mongoConfig({
  environment,
  target,
}: {
  readonly environment: Environment;
  readonly target: string;
}): MongoConfig {
  const found = mongoConfigOf(targetOf(environment, target), environment);
  if (!found)
    throw new Error(`${target} of ${environment.name} has no MongoDB server that could be given TLS`);
  return found;
}
