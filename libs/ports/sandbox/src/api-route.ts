import { apiAccess, withoutCredentials } from "./api-access.ts";
import { apiEndpoint } from "./api-endpoint.ts";
import { createGate, type ReviewRequest } from "./api-gate.ts";
import { createRelay, type Relay, type RelayOptions } from "./api-relay.ts";

/** The way from inside of a sandbox to one API server. */
export interface ApiRoute {
  /** Name that must resolve to 127.0.0.1 inside. */
  readonly insideName: string;
  /** Port on the sandbox's own 127.0.0.1. */
  readonly insidePort: number;
  /** The kubeconfig to use inside. */
  readonly kubeconfig: string;
  /** What takes the connections from that port. */
  readonly open: () => Relay;
}

/** What a run says of its way to the API server. */
export interface RouteOptions extends RelayOptions {
  readonly kubeconfig: string;
  readonly review?: ReviewRequest | undefined;
}

const local = "127.0.0.1";

/**
 * The way of a run; undefined when its kubeconfig names no server. With `review` it leads through a gate, and there are no
 * credentials inside. Throws `invalid-config` where that cannot be.
 */
export function apiRoute({ kubeconfig, review, ...options }: RouteOptions): ApiRoute | undefined {
  if (review) {
    const access = apiAccess(kubeconfig);
    if (!access) return undefined;
    const { insidePort } = access.endpoint;
    const server = `http://${local}:${insidePort}`;
    return {
      insideName: local,
      insidePort,
      kubeconfig: withoutCredentials(kubeconfig, server),
      open: () => createGate(access, { ...options, review }),
    };
  }
  const endpoint = apiEndpoint(kubeconfig);
  return endpoint && { ...endpoint, open: () => createRelay(endpoint, options) };
}
