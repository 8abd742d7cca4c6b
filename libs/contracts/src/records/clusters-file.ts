import { z } from "zod";
import { KubeName } from "../ids.ts";

/** One registered cluster. */
export const ClusterEntry = z.strictObject({
  name: KubeName,
  kubeconfig: z
    .string()
    .min(1)
    .describe("path of a kubeconfig with the harness's rights; relative to the clusters file"),
  context: z.string().optional().describe("default: the kubeconfig's current context"),
  arenas: z.int().min(1).max(100).default(1).describe("how many arenas the cluster may hold at once"),
  prometheus: z
    .url()
    .optional()
    .describe(
      "base URL of a Prometheus that scrapes the cluster's programs, with labels `namespace` and `pod`: requests in arenas are read from it instead of from each program's exporter; methods may query it about their own arena only",
    ),
  jaeger: z
    .string()
    .regex(/^[a-z0-9-]+\/[a-z0-9-]+:\d{1,5}$/, "<namespace>/<service>:<port>")
    .optional()
    .describe(
      "Jaeger's query service, as `<namespace>/<service>:<port>`, reached through the API server's proxy; methods see the traces of their own arena only, by the tag `k8s.namespace.name`",
    ),
  drain: z
    .boolean()
    .optional()
    .describe("true: no new episodes; running ones are finished. Set it before you remove an entry"),
  sendsLoad: z
    .boolean()
    .optional()
    .describe(
      "true: the cluster sends the requests of users by itself, as embedded ones do, or another client does; default: an arena has a load generator of its own where the system has none",
    ),
  ownNameServer: z
    .boolean()
    .optional()
    .describe(
      "true: the cluster's only arena has the cluster's name server for itself, as on embedded ones: faults may change the ConfigMap `coredns` in kube-system and start its pods again, and agents may change it; default: neither",
    ),
  clock: z.url().optional().describe("URL of the cluster's clock; default: the wall clock"),
});
export type ClusterEntry = z.infer<typeof ClusterEntry>;

/** The clusters file (YAML) that the scheduler, injector, executor and verifier read, again whenever it changes. */
export const ClustersFile = z.strictObject({
  clusters: z
    .array(ClusterEntry)
    .min(1)
    .refine((all) => all.every(({ ownNameServer, arenas }) => !ownNameServer || arenas === 1), {
      error: "a cluster with `ownNameServer` has one arena: the name server is the same for all of them",
    }),
});
export type ClustersFile = z.infer<typeof ClustersFile>;
