import { isSameField, targetText } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { catalogue } from "../testing/entries.ts";
import { fieldsOfFault, fieldsOfNoise, type ShownField } from "./shown-fields.ts";

const environments = catalogue.environments.all();
const faults = catalogue.faults.all().filter(({ control }) => !control);

const harmless = catalogue.noises
  .all()
  .flatMap((noise) =>
    environments.flatMap((environment) =>
      (noise.targets?.(environment) ?? [""]).flatMap((target) => fieldsOfNoise(noise, environment, target)),
    ),
  );

const hasTwin = ({ kind, field }: ShownField): boolean =>
  harmless.some((one) => one.kind === kind && isSameField(one.field, field));

test.each(faults)(
  "$name: some noise changes each field that it changes, or it says why none can",
  (fault) => {
    const fields = environments.flatMap((environment) =>
      fault
        .targets(environment)
        .map(targetText)
        .flatMap((target) => fieldsOfFault(fault, environment, target)),
    );
    const alone = fields.filter((one) => !hasTwin(one)).map(({ kind, field }) => `${kind} ${field}`);
    const isSaid = fault.withoutTwin !== undefined;
    const advice = isSaid
      ? "noises change all of its fields without harm: take its `withoutTwin` away"
      : "who sees one of these fields changed knows that something is wrong: write a noise that gives it another value that works, and name the field in the noise's `changes`; or say in the fault's `withoutTwin` why there is no such value";
    expect(
      [...new Set(alone)].length > 0,
      `${fault.name}: ${advice}\n${[...new Set(alone)].join("\n")}`,
    ).toBe(isSaid);
  },
);
