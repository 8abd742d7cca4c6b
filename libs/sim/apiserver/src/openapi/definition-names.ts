import { type FieldType, findStruct, modelOf, type ResourceType, structOf } from "@microremed/sim-kinds";

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";
const corePackage = "io.k8s.api.core.v1";

/** The structs of the package `meta/v1`. */
const metaStructs = new Set([
  "Condition",
  "FieldSelectorRequirement",
  "LabelSelector",
  "LabelSelectorRequirement",
  "ManagedFieldsEntry",
  "ObjectMeta",
  "OwnerReference",
]);

/** What other groups take from `core/v1` and its own kinds do not lead to. */
const sharedModels = ["V1PodTemplateSpec", "V1PersistentVolumeSpec", "V1TopologySelectorTerm"];

function modelsIn(type: FieldType): readonly string[] {
  if (type.kind === "struct") return [type.model];
  return type.kind === "list" || type.kind === "map" ? modelsIn(type.of) : [];
}

function modelsBelow(model: string): readonly string[] {
  return [...(findStruct(model)?.values() ?? [])].flatMap(modelsIn);
}

/** `roots` and all models that they lead to. */
export function modelsFrom(roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set(roots);
  // A set's iteration meets what is added on the way.
  for (const model of reached) for (const below of modelsBelow(model)) reached.add(below);
  return reached;
}

/** The Go package of a group's kinds, as OpenAPI documents spell it. */
function packageOf({ group, version }: ResourceType): string {
  if (group === "apiextensions.k8s.io")
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}`;
  return `io.k8s.api.${group.split(".")[0] || "core"}.${version}`;
}

/** The name of a kind that has no model: custom ones and those of metrics-server. */
export function customName({ group, version, kind }: ResourceType): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/**
 * The names of all definitions that the models of `types` lead to: `io.k8s.api.apps.v1.DeploymentSpec`. The models do not
 * name packages; groups share structs of `core/v1` and `meta/v1` only, everything else is the group's own.
 */
export function definitionNames(types: readonly ResourceType[]): ReadonlyMap<string, string> {
  const builtIn = types.filter((type) => !type.custom);
  const coreKinds = builtIn.filter(({ group }) => group === "").flatMap((type) => modelOf(type) ?? []);
  const core = modelsFrom([...coreKinds, ...sharedModels]);
  const names = new Map<string, string>();
  for (const type of builtIn) {
    const root = modelOf(type);
    for (const model of root === undefined ? [] : modelsFrom([root])) {
      const struct = structOf(model);
      const inPackage = core.has(model) ? corePackage : packageOf(type);
      names.set(model, `${metaStructs.has(struct) ? metaPackage : inPackage}.${struct}`);
    }
  }
  return names;
}
