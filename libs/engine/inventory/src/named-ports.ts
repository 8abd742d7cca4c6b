import type { KubeObject } from "@microremed/cluster";
import { z } from "zod";
import { isWorkload } from "./expected.ts";

const Labels = z.record(z.string(), z.string());
const Template = z.object({
  metadata: z.object({ labels: Labels.default({}) }).default({ labels: {} }),
  spec: z.object({
    containers: z.array(
      z.object({
        ports: z.array(z.object({ name: z.string().optional(), containerPort: z.int() })).default([]),
      }),
    ),
  }),
});
type Template = z.infer<typeof Template>;
const Selecting = z.object({ selector: Labels });
const Making = z.object({ template: Template });

/**
 * Whether two ports, each by its name or its number, are the same one in all pods that a declared workload makes, or a declared Service
 * selects.
 */
export function isSamePort(
  declared: KubeObject,
  record: readonly KubeObject[],
): (one: string, other: string) => boolean {
  const templates = templatesOf(declared, record);
  return (one, other) =>
    templates.length > 0 &&
    templates.every((template) => {
      const number = numberOf(one, template);
      return number !== undefined && number === numberOf(other, template);
    });
}

function templatesOf(declared: KubeObject, record: readonly KubeObject[]): Template[] {
  if (isWorkload(declared)) return madeBy(declared);
  const selector =
    declared.kind === "Service" ? Selecting.safeParse(declared.spec).data?.selector : undefined;
  if (!selector) return [];
  const wanted = Object.entries(selector);
  return record
    .filter(isWorkload)
    .flatMap(madeBy)
    .filter(({ metadata: { labels } }) => wanted.every(([name, value]) => labels[name] === value));
}

function madeBy({ spec }: KubeObject): Template[] {
  const making = Making.safeParse(spec).data;
  return making ? [making.template] : [];
}

function numberOf(port: string, { spec: { containers } }: Template): number | undefined {
  if (/^\d+$/.test(port)) return Number(port);
  return containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)?.containerPort;
}
