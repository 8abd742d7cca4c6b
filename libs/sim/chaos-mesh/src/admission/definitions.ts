import type { NewObject } from "@microremed/sim-objects";
import { chaosKinds } from "../kinds/chaos-kinds.ts";
import { chaosGroup } from "../model/chaos-kind.types.ts";
import { jsonSchema } from "../schema/json-schema.ts";

const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** openAPIV3Schema of one of Chaos Mesh's kinds; what is not simulated in detail takes any fields. */
export function chaosSchema(plural: string): Record<string, unknown> {
  const kind = chaosKinds.find((candidate) => candidate.plural === plural);
  const properties = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: kind ? jsonSchema(kind.spec) : free,
    status: free,
  };
  return { type: "object", properties, required: ["spec"] };
}

/** The CustomResourceDefinition of one of Chaos Mesh's kinds, as its chart installs it. */
export function chaosDefinition(plural: string, kind: string, hasStatus: boolean): NewObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${chaosGroup}`,
      annotations: { "controller-gen.kubebuilder.io/version": "v0.16.1" },
    },
    spec: {
      group: chaosGroup,
      names: { kind, plural, singular: plural === "schedules" ? "schedule" : plural },
      scope: "Namespaced",
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: chaosSchema(plural) },
          ...(hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}
