import { likelyNames } from "@microremed/core";
import { dialledAddress } from "./dialled-address.ts";
import type { Environment, ServiceSpec } from "./environment.types.ts";
import { hasOthersKinds } from "./manifest.ts";
import { workloadsBehind } from "./selectors.ts";
import { serviceOfHost } from "./service-of-host.ts";

/** What is wrong with a `host:port` that must be one of a Service; none: it is one. */
export function checkAddress(environment: Environment, at: string, address: string): string[] {
  const [host = "", port, ...rest] = address.split(":");
  const service = rest.length > 0 ? undefined : serviceOfHost(environment, host);
  const spec = service === undefined ? undefined : environment.services[service];
  if (spec === undefined || service === undefined) {
    const { host: meant, port: number } = dialledAddress(address);
    const known = serviceOfHost(environment, meant) !== undefined;
    const names = Object.keys(environment.services);
    return [
      `${at}: ${JSON.stringify(address)} names no Service; write <service>:<port>${known ? `, such as ${meant}:${Number.isNaN(number) ? "<port>" : number}` : ` with a Service of the manifests: ${likelyNames(meant, names)}`}`,
    ];
  }
  if (!spec.ports.some((entry) => String(entry.port) === port))
    return [
      `${at}: Service ${JSON.stringify(host)} has no port ${port ?? "(none given)"}; write ${portsOf(host, spec)}`,
    ];
  return isEmpty(environment, service, spec)
    ? [
        `${at}: Service ${JSON.stringify(host)} selects no pods of the manifests; correct its selector, or name another`,
      ]
    : [];
}

const portsOf = (host: string, { ports }: ServiceSpec): string =>
  ports.length === 0
    ? "another address, as it has none"
    : ports.map(({ port }) => `${host}:${port}`).join(" or ");

/** Whether a Service finds its pods by a selector that none has. What controllers make may have any labels. */
const isEmpty = (environment: Environment, service: string, { selector }: ServiceSpec): boolean =>
  Object.keys(selector).length > 0 &&
  !hasOthersKinds(environment.manifests) &&
  workloadsBehind(environment, service).length === 0;
