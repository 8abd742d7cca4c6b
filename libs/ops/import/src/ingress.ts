import type { Manifest } from "@microremed/catalogue/environment";
import { z } from "zod";

/** Where an Ingress sends requests. */
export interface IngressBackend {
  /** Of the Ingress. */
  readonly name: string;
  readonly service: string;
  /** Number or name of the Service's port; undefined: none is given. */
  readonly port: number | string | undefined;
  /** What a path begins with, without patterns; undefined: what no path fits. */
  readonly path: string | undefined;
  /** Whether that path alone is meant, and none below it. */
  readonly isExact: boolean;
}

const Port = z.union([z.number(), z.string()]);
const Backend = z
  .union([
    z.object({
      service: z.object({
        name: z.string(),
        port: z.object({ number: z.number().optional(), name: z.string().optional() }).optional(),
      }),
    }),
    // As before networking.k8s.io/v1.
    z.object({ serviceName: z.string(), servicePort: Port.optional() }),
  ])
  .transform((backend) =>
    "service" in backend
      ? {
          service: backend.service.name,
          port: backend.service.port?.number ?? backend.service.port?.name,
        }
      : { service: backend.serviceName, port: backend.servicePort },
  )
  .optional()
  .catch(undefined);
const Paths = z
  .array(z.object({ path: z.string().default("/"), pathType: z.string().optional(), backend: Backend }))
  .catch([]);
const Rules = z.array(z.object({ http: z.object({ paths: Paths }).optional() })).catch([]);
const Spec = z.object({ defaultBackend: Backend, backend: Backend, rules: Rules.default([]) });

/** The backends of all Ingresses, in their order. What cannot be read is left out. */
export function ingressBackends(manifests: readonly Manifest[]): IngressBackend[] {
  return manifests.flatMap(({ kind, metadata: { name }, ...rest }) => {
    const spec = kind === "Ingress" ? Spec.safeParse(rest["spec"], { jitless: true }).data : undefined;
    if (!spec) return [];
    const others = spec.defaultBackend ?? spec.backend;
    const routed = spec.rules
      .flatMap(({ http }) => http?.paths ?? [])
      .flatMap(({ path, pathType, backend }) =>
        backend ? [{ name, ...backend, path: literalOf(path), isExact: pathType === "Exact" }] : [],
      );
    return [...routed, ...(others ? [{ name, ...others, path: undefined, isExact: false }] : [])];
  });
}

/** `/api/` and `/api(/|$)(.*)` begin with `/api`, `/` and `/?(.*)` with nothing. */
const literalOf = (path: string): string => (/^[\w/.~-]*/.exec(path)?.[0] ?? "").replace(/\/+$/, "");
