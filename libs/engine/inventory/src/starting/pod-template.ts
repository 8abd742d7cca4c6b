import type { KubeObject } from "@microremed/cluster";
import { isJsonObject, oncePerFrozen } from "@microremed/core";
import { z } from "zod";

const Optional = z.boolean().default(false);
const KeyOf = z.object({ name: z.string(), key: z.string(), optional: Optional });
const AllOf = z.object({ name: z.string(), optional: Optional });
const Items = z.array(z.object({ key: z.string(), path: z.string() })).optional();
const Files = z.object({ name: z.string(), items: Items, optional: Optional });
const Terms = z.array(z.record(z.string(), z.unknown())).default([]);

const Port = z.object({ name: z.string().optional(), containerPort: z.int() });

const Container = z.object({
  name: z.string(),
  ports: z.array(Port).default([]),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().default(""),
        valueFrom: z
          .looseObject({ configMapKeyRef: KeyOf.optional(), secretKeyRef: KeyOf.optional() })
          .optional(),
      }),
    )
    .default([]),
  envFrom: z
    .array(
      z.object({
        prefix: z.string().default(""),
        configMapRef: AllOf.optional(),
        secretRef: AllOf.optional(),
      }),
    )
    .default([]),
});

const Volume = z.object({
  name: z.string(),
  configMap: Files.optional(),
  secret: z.object({ secretName: z.string(), items: Items, optional: Optional }).optional(),
  persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
  projected: z
    .object({
      sources: z.array(z.object({ configMap: Files.optional(), secret: Files.optional() })).default([]),
    })
    .optional(),
});

const PodTemplate = z.object({
  initContainers: z.array(Container).default([]),
  containers: z.array(Container).default([]),
  volumes: z.array(Volume).default([]),
  affinity: z
    .object({
      podAntiAffinity: z.object({ requiredDuringSchedulingIgnoredDuringExecution: Terms }).optional(),
    })
    .optional(),
  topologySpreadConstraints: Terms,
});

/** What of a template decides whether and how its next pod starts. */
export type PodTemplate = z.infer<typeof PodTemplate>;
export type TemplateContainer = z.infer<typeof Container>;
export type TemplateVolume = z.infer<typeof Volume>;

/** Undefined: the object has no template, or one that no API server would take. */
export const podTemplateOf = oncePerFrozen(({ spec }: KubeObject): PodTemplate | undefined => {
  const template = isJsonObject(spec) ? spec["template"] : undefined;
  return isJsonObject(template) ? PodTemplate.safeParse(template["spec"]).data : undefined;
});

/** Of a pod itself; undefined: it has none that an API server would take. */
export const templateOfPod = (spec: unknown): PodTemplate | undefined => PodTemplate.safeParse(spec).data;
