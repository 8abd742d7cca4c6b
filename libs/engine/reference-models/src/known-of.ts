import type { Finding } from "@microremed/catalogue";
import type { Known } from "./answers.ts";

/** A finding by the names that answers have for the parts of a cause. */
export const knownOf = ({
  object,
  field,
  wrong,
  right,
  mechanism,
  systemLevel,
  faultType,
}: Finding): Known => ({
  kind: object.kind,
  name: object.name,
  namespace: object.namespace,
  field,
  wrong,
  right,
  mechanism,
  system_level: systemLevel,
  fault_type: faultType,
});
