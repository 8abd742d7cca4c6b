import { kinds } from "@microremed/cluster";
import { z } from "zod";
import { drawnName, drawnWord } from "./drawn/names.ts";
import type { LogKind, NoiseContext } from "./noise.ts";
import { isRolledOut, podLabel } from "./noise-parts.ts";
import { serviceOf } from "./target-services.ts";

const parameters = z.object(podLabel);

/** Of a noise in which the pods of a Deployment get one more label, for which their Service asks from then on. */
export const relabelledService = {
  parameters,
  changes: ["spec.selector", "spec.template.metadata.labels"],
  logs: ["rollout", "config"] satisfies LogKind[],
  drawn: { label: drawnName("release", "track", "stage", "version", "role"), value: drawnWord },
  decoys: (place: Pick<NoiseContext, "environment" | "target">) => [
    { kind: "Service", name: serviceOf(place)?.name ?? place.target },
    { kind: "Deployment", name: place.target },
  ],
  async isSettled(
    context: NoiseContext & { readonly parameters: z.output<typeof parameters> },
  ): Promise<boolean> {
    const name = serviceOf(context)?.name ?? "";
    const service = await context.cluster.get(kinds.service, context.namespace, name);
    const isAsked = service?.spec?.selector?.[context.parameters.label] !== undefined;
    return isAsked && (await isRolledOut(context, context.target));
  },
};
