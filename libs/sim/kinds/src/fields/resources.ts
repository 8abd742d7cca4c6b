import { type Loose, parseQuantity, type StatusCause } from "@microremed/sim-objects";
import { invalidValue } from "./field-errors.ts";

/** What the decoder says to text that is no quantity. */
export const quantityText =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function amounts(field: string, map: Loose): StatusCause[] {
  return Object.entries(map ?? {}).flatMap(([name, value]) => {
    const amount = parseQuantity(value);
    const at = `${field}[${name}]`;
    if (amount === undefined) return [invalidValue(at, value, quantityText)];
    if (amount < 0) return [invalidValue(at, String(value), "must be greater than or equal to 0")];
    const known = name.includes("/") || /^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name);
    return known
      ? []
      : [invalidValue(`${field}[${name}]`, name, "must be a standard resource for containers")];
  });
}

/** Requests and limits of a container: amounts, and no request above its limit. */
export function validateResources(field: string, resources: Loose): StatusCause[] {
  const { requests = {}, limits = {} } = resources ?? {};
  const causes = [...amounts(`${field}.limits`, limits), ...amounts(`${field}.requests`, requests)];
  for (const [name, value] of Object.entries(requests)) {
    const request = parseQuantity(value);
    const limit = parseQuantity(limits[name]);
    if (limits[name] === undefined || request === undefined || limit === undefined) continue;
    if (request <= limit) continue;
    causes.push(
      invalidValue(
        `${field}.requests`,
        String(value),
        `must be less than or equal to ${name} limit of ${limits[name]}`,
      ),
    );
  }
  return causes;
}
