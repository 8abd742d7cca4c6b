import {
  type Environment,
  kinds,
  kubectl,
  manifestOf,
  type RemedyContext,
  shellWord,
  type WorkloadSpec,
} from "@microremed/catalogue";

/** A ConfigMap that a workload mounts. */
interface Mounted {
  readonly workload: string;
  readonly configMap: string;
}

const mountedBy = ({ volumes }: WorkloadSpec): string[] =>
  Object.values(volumes).flatMap((volume) => (volume.type === "configMap" ? [volume.name] : []));

/** The parts of two names in which they differ: `geo`, `rate` of mongodb-geo and mongodb-rate. */
export function differingParts(one: string, other: string): readonly [string, string] {
  const [a, b] = [one.split("-"), other.split("-")];
  while (a.length > 1 && b.length > 1 && a[0] === b[0]) [a, b].map((parts) => parts.shift());
  while (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-1)) [a, b].map((parts) => parts.pop());
  return [a.join("-"), b.join("-")];
}

/** What the ConfigMap of another workload would be as this one's: the name of the one in place of the other's. */
function asThisOnes(environment: Environment, { workload }: Mounted, other: Mounted): string {
  const [own, others] = differingParts(workload, other.workload);
  const manifest = manifestOf(environment, kinds.configMap, other.configMap) ?? {};
  return JSON.stringify(manifest).replaceAll(new RegExp(`\\b${others}\\b`, "g"), own);
}

/** ConfigMaps of other workloads with the same image say what the missing one had in it, and all say the same. */
export function siblingsAgree(environment: Environment, missing: Mounted): boolean {
  const image = environment.workloads[missing.workload]?.containers[0]?.image;
  const copies = Object.entries(environment.workloads)
    .filter(([, { containers }]) => containers[0]?.image === image)
    .flatMap(([workload, spec]) => mountedBy(spec).map((configMap) => ({ workload, configMap })))
    .filter(({ configMap }) => configMap !== missing.configMap)
    .map((other) => asThisOnes(environment, missing, other));
  return copies.length > 0 && new Set(copies).size === 1;
}

/** A line for each workload: its name, the image of its first container, the ConfigMaps that it mounts. */
const uses =
  '{range .items[*]}{.metadata.name} {.spec.template.spec.containers[0].image} {.spec.template.spec.volumes[*].configMap.name}{"\\n"}{end}';

/**
 * An awk program that prints, for each ConfigMap of another workload with the same image, its name, the part of the other
 * workload's name that is another here, and this one's.
 */
const others = [
  "{ image[$1] = $2; for (i = 3; i <= NF; i++) if ($i != missing) { total++; user[total] = $1; map[total] = $i } }",
  "END { for (t = 1; t <= total; t++) if (image[user[t]] == image[own]) {",
  'n = split(own, a, "-"); m = split(user[t], b, "-"); i = 1;',
  "while (i < n && i < m && a[i] == b[i]) i++;",
  "while (n > i && m > i && a[n] == b[m]) { n--; m-- }",
  'p = a[i]; for (j = i + 1; j <= n; j++) p = p "-" a[j];',
  'q = b[i]; for (j = i + 1; j <= m; j++) q = q "-" b[j];',
  "print map[t], q, p } }",
].join(" ");

/** Lines of a shell script that creates the ConfigMap as those of workloads with the same image are, if these are alike. */
export function createLikeSiblings(
  context: Pick<RemedyContext, "namespace">,
  { workload, configMap }: Mounted,
): string[] {
  const own = ["uid", "resourceVersion", "creationTimestamp"].map((field) => `/^  ${field}: /d`).join("; ");
  return [
    `uses=$(${kubectl(context)} get deployments,statefulsets -o jsonpath='${uses}')`,
    "like=",
    `for line in $(echo "$uses" | awk -v own=${shellWord(workload)} -v missing=${shellWord(configMap)} '${others}' | tr ' ' /); do`,
    `  other=\${line%%/*}; parts=\${line#*/}`,
    `  copy=$(${kubectl(context)} get configmap $other -o yaml | sed "${own}; s/\\b\${parts%%/*}\\b/\${parts#*/}/g")`,
    '  if [ -n "$like" ] && [ "$like" != "$copy" ]; then echo "workloads with the same image have different ConfigMaps"; exit 1; fi',
    "  like=$copy",
    "done",
    'if [ -z "$like" ]; then echo "no workload with the same image has a ConfigMap"; exit 1; fi',
    `echo "$like" | ${kubectl(context)} create -f -`,
  ];
}
