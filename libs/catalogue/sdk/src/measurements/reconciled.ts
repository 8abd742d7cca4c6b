import type { KubeObject } from "@microremed/cluster";
import { z } from "zod";

/** A custom resource whose operator says how it is. */
export interface Reconciled {
  /** `TidbCluster/basic` */
  readonly name: string;
  /** Why it is not as it asks to be, to be read after its name; undefined: it is. */
  readonly why: string | undefined;
  /** Its operator says so itself. */
  readonly isSaid: boolean;
}

const Status = z.object({
  observedGeneration: z.number().optional(),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string().optional(),
      message: z.string().optional(),
      observedGeneration: z.number().optional(),
    }),
  ),
});

/** Empty: its operator writes no condition `Ready`, so that nothing is known. */
export function readReconciled({ kind, metadata, status }: KubeObject): Reconciled[] {
  const read = Status.safeParse(status).data;
  const ready = read?.conditions.find(({ type }) => type === "Ready");
  if (!read || !ready) return [];
  const name = `${kind}/${metadata.name}`;
  const seen = ready.observedGeneration ?? read.observedGeneration;
  if (ready.status !== "True")
    return [
      {
        name,
        why: `is not Ready: ${[ready.reason, ready.message].filter(Boolean).join(": ")}`,
        isSaid: true,
      },
    ];
  const isOld = seen !== undefined && seen < (metadata.generation ?? 0);
  const why = isOld ? "has not been seen by its operator since it was changed" : undefined;
  return [{ name, why, isSaid: false }];
}
