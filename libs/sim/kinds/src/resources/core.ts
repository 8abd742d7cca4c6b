import {
  configMapPrinter,
  endpointsPrinter,
  eventPrinter,
  namespacePrinter,
  nodePrinter,
  podPrinter,
  secretPrinter,
  serviceAccountPrinter,
  servicePrinter,
} from "../printers/core-printers.ts";
import { claimPrinter, quotaPrinter, volumePrinter } from "../printers/storage-printers.ts";
import { replicationControllerPrinter } from "../printers/workload-printers.ts";
import { allVerbs, inGroup, scaleSubresource } from "../resource-type/define.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";

const define = inGroup("", "v1");
const all = ["all"];
const proxied = (kind: string) => ({
  name: "proxy",
  kind,
  verbs: ["create", "delete", "get", "patch", "update"],
});
const stream = (name: string, kind: string) => ({ name, kind, verbs: ["create", "get"] });

export const coreResources: readonly ResourceType[] = [
  define("configmaps", "ConfigMap", { short: ["cm"], printer: configMapPrinter }),
  define("endpoints", "Endpoints", { short: ["ep"], printer: endpointsPrinter }),
  define("events", "Event", { short: ["ev"], printer: eventPrinter }),
  define("limitranges", "LimitRange", { short: ["limits"] }),
  define("namespaces", "Namespace", {
    short: ["ns"],
    clusterScoped: true,
    verbs: allVerbs.filter((verb) => verb !== "deletecollection"),
    subresources: [{ name: "finalize", kind: "Namespace", verbs: ["update"] }],
    printer: namespacePrinter,
  }),
  define("nodes", "Node", {
    short: ["no"],
    clusterScoped: true,
    printer: nodePrinter,
    subresources: [proxied("NodeProxyOptions")],
  }),
  define("persistentvolumeclaims", "PersistentVolumeClaim", { short: ["pvc"], printer: claimPrinter }),
  define("persistentvolumes", "PersistentVolume", {
    short: ["pv"],
    clusterScoped: true,
    printer: volumePrinter,
  }),
  define("pods", "Pod", {
    short: ["po"],
    categories: all,
    printer: podPrinter,
    subresources: [
      stream("attach", "PodAttachOptions"),
      { name: "ephemeralcontainers", kind: "Pod", verbs: ["get", "patch", "update"] },
      { name: "eviction", kind: "Eviction", verbs: ["create"], group: "policy", version: "v1" },
      stream("exec", "PodExecOptions"),
      { name: "log", kind: "Pod", verbs: ["get"] },
      stream("portforward", "PodPortForwardOptions"),
      { name: "resize", kind: "Pod", verbs: ["get", "patch", "update"] },
      proxied("PodProxyOptions"),
    ],
  }),
  define("replicationcontrollers", "ReplicationController", {
    short: ["rc"],
    categories: all,
    subresources: [scaleSubresource],
    printer: replicationControllerPrinter,
  }),
  define("resourcequotas", "ResourceQuota", { short: ["quota"], printer: quotaPrinter }),
  define("secrets", "Secret", { printer: secretPrinter }),
  define("serviceaccounts", "ServiceAccount", {
    short: ["sa"],
    printer: serviceAccountPrinter,
    subresources: [
      {
        name: "token",
        kind: "TokenRequest",
        verbs: ["create"],
        group: "authentication.k8s.io",
        version: "v1",
      },
    ],
  }),
  define("services", "Service", {
    short: ["svc"],
    categories: all,
    printer: servicePrinter,
    subresources: [proxied("ServiceProxyOptions")],
  }),
];
