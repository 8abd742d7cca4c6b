import { type Environment, type Place, targetOf } from "@microremed/catalogue";

/** The configuration of a MongoDB server in a ConfigMap. */
export interface ServerConfig {
  readonly configMap: string;
  readonly key: string;
  /** As it is declared. */
  readonly text: string;
}

const tlsMode = /(\btls:\s*\n\s*mode:\s*)(\w+)/;

/** Such a configuration with another mode of TLS. */
export const withMode = (text: string, mode: string): string => text.replace(tlsMode, `$1${mode}`);

/** The configuration of the server in a workload, if it has a certificate and TLS is off; undefined: there is none. */
export function configOf(place: Place | undefined, { configMaps }: Environment): ServerConfig | undefined {
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
export function serverConfig({
  environment,
  target,
}: {
  readonly environment: Environment;
  readonly target: string;
}): ServerConfig {
  const found = configOf(targetOf(environment, target), environment);
  if (!found)
    throw new Error(`${target} of ${environment.name} has no MongoDB server that could be given TLS`);
  return found;
}
