import type { CausePart, TemplateChange } from "@microremed/catalogue";
import { z } from "@microremed/catalogue";

const Variables = z.array(z.object({ name: z.string(), value: z.string().optional() }));

/** A variable with a number of tries above 1 that was not there before. */
export function addedAttempts({ was, is }: TemplateChange): CausePart | false {
  const before = new Map((Variables.safeParse(was).data ?? []).map(({ name, value }) => [name, value]));
  for (const { name, value = "" } of Variables.safeParse(is).data ?? [])
    if (/ATTEMPTS|RETRIES/.test(name) && before.get(name) !== value && Number(value) > 1)
      return { path: `[name=${name}].value`, wrong: value, right: before.get(name) ?? "" };
  return false;
}
