import { targetText, valueAt, valueInWords, withApiDefaults } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { defaultObject } from "@microremed/sim-kinds";
import { expect, test } from "vitest";

const catalogue = await builtInCatalogue();
const environments = catalogue.environments.all();
const refs: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  Service: { group: "", resource: "services" },
  Deployment: { group: "apps", resource: "deployments" },
  StatefulSet: { group: "apps", resource: "statefulsets" },
  DaemonSet: { group: "apps", resource: "daemonsets" },
};

type Manifest = (typeof environments)[number]["manifests"][number];

/** The object as an API server has it. */
const runningOf = (manifest: Manifest): unknown => {
  const ref = refs[manifest.kind];
  return ref ? defaultObject(ref, structuredClone(manifest) as never) : manifest;
};

test.each(environments)(
  "what the catalogue takes for filled in is what the API server fills in: $name",
  ({ manifests }) => {
    for (const manifest of manifests) expect(runningOf(manifest)).toMatchObject(withApiDefaults(manifest));
  },
);

test("no truth says of a field that it should not be there which every running object has", () => {
  const wrong = environments.flatMap((environment) =>
    catalogue.faults.all().flatMap((fault) =>
      fault.targets(environment).flatMap((target) =>
        fault
          .truth({ environment, target: targetText(target) })
          .objects.flatMap(({ kind, name, field, right }) => {
            const manifest = environment.manifests.find(
              (one) => one.kind === kind && one.metadata.name === name,
            );
            const value = manifest && valueAt(runningOf(manifest), pointerTo(manifest, field));
            const isThere = field !== "" && value !== undefined;
            return right === "none" && isThere
              ? [`${fault.name}: ${kind} ${name} ${field} is ${valueInWords(value)}`]
              : [];
          }),
      ),
    ),
  );
  expect(wrong).toEqual([]);
});

/** `spec.containers[name=web].args` as a JSON pointer into a manifest. */
function pointerTo(manifest: Manifest, field: string): string {
  const steps = [...field.matchAll(/\[name=([^\]]+)\]|\[(\d+)\]|([^.[\]]+)/g)];
  return steps.reduce((pointer, [, name, index, key]) => {
    if (name === undefined) return `${pointer}/${index ?? key}`;
    const items = valueAt(manifest, pointer) as { readonly name?: string }[];
    return `${pointer}/${items.findIndex((item) => item.name === name)}`;
  }, "");
}
