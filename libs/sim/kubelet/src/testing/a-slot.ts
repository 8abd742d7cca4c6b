import { type ContainerSlot, createSlot } from "../container-slot.ts";

/** A container's slot with some of its fields set, outside any cluster. For tests. */
export function aSlot(fields: Partial<ContainerSlot>): ContainerSlot {
  const name = fields.name ?? "main";
  const spec = { name, image: fields.image ?? "nginx:1.25", ...fields.spec };
  return {
    ...createSlot({ keep: (state) => state }, spec, false, "ContainerCreating"),
    ...fields,
    name,
    spec,
  };
}
