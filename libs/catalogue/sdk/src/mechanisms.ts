import { z } from "zod";

/**
 * How a cause leads to its symptom: a closed list, so that an answer can be compared without a model. One that fits more
 * closely goes before one that fits too.
 */
export const mechanisms = {
  "resources-taken": "something else takes the CPU, memory or disk that the program needs",
  "resources-too-small": "requests or limits of its own give a program too little CPU or memory to work",
  "pods-stopped":
    "pods or their programs are stopped or replaced from outside while their configuration is right",
  "pods-evicted": "pods are evicted or preempted to make room for others",
  "scaled-away": "there are fewer replicas than needed, or nothing can scale them",
  unschedulable:
    "pods cannot be placed: selectors, taints, affinity, ports or requests that no node satisfies",
  "refused-on-creation": "the API server refuses new objects: a quota, a limit range, a policy or a webhook",
  "image-unavailable": "an image or its tag does not exist or cannot be pulled",
  "program-cannot-start":
    "a wrong command, a port conflict or an init container that does not end keeps it from starting",
  "wrong-probe":
    "a health check asks the wrong thing, or gives too little time, so that a working program counts as broken",
  "unsafe-rollout": "an update replaces pods in a way that leaves too few of them",
  "never-completes": "an object or a job cannot end or be deleted, and what waits for it waits for ever",
  "wrong-route": "a Service is missing or leads to the wrong port or pods",
  "traffic-blocked": "a policy of the network drops or refuses connections",
  "network-slow": "packets arrive late",
  "packets-lost": "packets are lost, damaged or repeated on their way",
  "name-not-resolved": "a host name has no address or a wrong one",
  "wrong-address": "a program is configured with a host or port at which what it needs is not",
  "configuration-missing": "a variable, file, ConfigMap or Secret that a program needs is not there",
  "configuration-wrong": "a setting of a program, not an address, has a wrong value",
  "access-denied": "credentials, roles, certificates or rights do not allow what a program has to do",
  "storage-slow": "files are read or written late, or with errors",
  "storage-unavailable": "a volume cannot be bound, attached or mounted, or its data is gone",
  "faulty-code": "this version of the program, or a feature of it that is switched on, does the wrong thing",
  "faulty-dependency-version": "what a program depends on has a version that does not fit",
  "blocked-by-lock": "a lock or a message that cannot be processed holds up everything behind it",
  "overload-feeds-itself":
    "retries or queues make more load than is served, and go on after the first cause is gone",
  "node-broken": "a node, or the agent of Kubernetes on it, does not work",
} as const;

const names = Object.keys(mechanisms) as [keyof typeof mechanisms, ...(keyof typeof mechanisms)[]];

/** One of `mechanisms`. */
export const Mechanism = z.enum(
  names,
  `a mechanism of the list, such as ${names[0]} (docs/reference/catalogue.md#mechanisms)`,
);
export type Mechanism = z.infer<typeof Mechanism>;
