import { z } from "zod";

/** An object of Kubernetes as an answer names it. */
export const ObjectRef = z.strictObject({
  kind: z
    .string()
    .min(1)
    .max(100)
    .describe("Kubernetes' kind, e.g. Deployment, StatefulSet, Service, ConfigMap, Node"),
  name: z.string().min(1).max(253).describe("Its name, without the kind"),
  namespace: z
    .string()
    .max(63)
    .optional()
    .describe("Its namespace; default: the system's. Objects without one: leave it out"),
});
export type ObjectRef = z.infer<typeof ObjectRef>;
