import { programOf } from "@microremed/core/bundle";

/** Services that work on clusters: with embedded ones they run in the clusters' processes. */
export const hostedServiceNames = ["injector", "executor", "verifier"] as const;

/** The services that a stack may have, in the order in which they are started. The gateway is there if it is asked for. */
export const serviceNames = [...hostedServiceNames, "remediator", "scheduler", "gateway"] as const;

/** The name of a service, which is also its folder below `services/`. */
export type ServiceName = (typeof serviceNames)[number];

export type HostedServiceName = (typeof hostedServiceNames)[number];

/** The path of a service's main program, for one that runs as a process of its own. */
export function serviceMain(name: ServiceName): string {
  return programOf(new URL(`../../../../services/${name}/src/main.ts`, import.meta.url));
}
