import { FaultType, Mechanism, ObjectRef, SystemLevel, z } from "@microremed/catalogue";

const text = z.string().max(1000);

/** One cause as an answer has it; the two labels have AIOpsLab's names and words. */
export const Cause = z.strictObject({
  object: ObjectRef.describe("The object that is wrong itself, not one that suffers from it"),
  field: text.describe(
    "Path of the wrong field, e.g. spec.template.spec.containers[0].image; empty: no field is, but the object as a whole or something that acts on it",
  ),
  wrong: text.describe(
    "The field's value as it is, and nothing else; the word absent if the field is not there, empty where no field is wrong",
  ),
  right: text.describe(
    "The value that it should have, and nothing else; the word absent if the field should not be there, empty where no field is wrong",
  ),
  mechanism: Mechanism.describe("How the cause leads to the symptom"),
  system_level: SystemLevel.describe("The layer of the cause"),
  fault_type: FaultType.describe("The nature of the cause"),
});
export type Cause = z.infer<typeof Cause>;
