import { fileURLToPath } from "node:url";

/** The services of a stack, in the order in which they are started. */
export const serviceNames = ["injector", "executor", "verifier", "remediator", "scheduler"] as const;

/** The name of a service, which is also its folder below `services/`. */
export type ServiceName = (typeof serviceNames)[number];

/** Services are spawned, never imported; this is the path of each one's main program. */
export function serviceMain(name: ServiceName): string {
  return fileURLToPath(new URL(`../../../../services/${name}/src/main.ts`, import.meta.url));
}
