import { AppsV1Api, BatchV1Api, CoreV1Api, KubernetesObjectApi } from "@kubernetes/client-node";
import type { CaseContext, Need, Step } from "../case.types.ts";

interface Clients {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly batch: BatchV1Api;
  readonly objects: KubernetesObjectApi;
}

/** Anything with the JavaScript client; throws what is wrong. */
export const client = (act: (clients: Clients, context: CaseContext) => Promise<void>): Step => ({
  run(context) {
    const { config } = context.target;
    const clients = {
      core: config.makeApiClient(CoreV1Api),
      apps: config.makeApiClient(AppsV1Api),
      batch: config.makeApiClient(BatchV1Api),
      objects: KubernetesObjectApi.makeApiClient(config),
    };
    return act(clients, context);
  },
});

/** Skips the case on a cluster without this. */
export const needs = (need: Need): Step => ({ needs: need, run: async () => {} });

/** A kubectl command when the case is over, whatever came of it. */
export const afterwards = (...args: readonly string[]): Step => ({
  async run(context) {
    context.afterwards(async () => {
      await context.kubectl(args.map(context.fill));
    });
  },
});
