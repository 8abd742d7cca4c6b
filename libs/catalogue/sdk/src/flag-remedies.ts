import { kinds } from "@microremed/cluster";
import { shellWord } from "@microremed/core";
import { selectorText } from "./environment/selectors.ts";
import { type DeclaredFlag, dataPath, declaredFlag, flagOf, withVariant } from "./flag-file.ts";
import { kubectl, patchCommand, type Remedy, type RemedyContext } from "./remedy.ts";
import type { Runbook } from "./runbook.ts";
import { deletePods, restartEverything } from "./shortcuts.ts";

const writeText = (context: RemedyContext, { configMap, key }: DeclaredFlag, text: string): string =>
  patchCommand(context, kinds.configMap, configMap, [{ op: "replace", path: dataPath(key), value: text }]);

const restart = (context: Pick<RemedyContext, "namespace">, workload: string | undefined): string[] =>
  workload === undefined
    ? []
    : [
        `${kubectl(context)} rollout restart deployment/${workload}`,
        `${kubectl(context)} rollout status deployment/${workload} --timeout=20s || echo "still rolling out"`,
      ];

/** In the file of each running flagd: gives the flag a variant again. flagd sees the change by itself. */
function editCopies(context: RemedyContext, flag: string, { server, copy, right }: DeclaredFlag): string {
  const selector = selectorText(context.environment.workloads[server]?.selector ?? {});
  const pods = `${kubectl(context)} get pods -l ${selector} -o name`;
  const script = shellWord(`sed -i -E ${shellWord(sedFor(flag, right))} ${copy?.path}`);
  return `for p in $(${pods}); do ${kubectl(context)} exec "$p" -c ${copy?.container} -- sh -c ${script}; done`;
}

/** On one line: the default variant of a flag whose variants are one object. */
const sedFor = (flag: string, variant: string): string =>
  `s/("${flag}": *\\{[^}]*\\}[^}]*"defaultVariant": *")[^"]*/\\1${variant}/`;

/**
 * The flag is turned off where it is declared, and flagd started again, whose file is made of that. `piled`: a Deployment that
 * is started again, too, to lose what it has piled up.
 */
export const flagOff = (flag: string, piled?: string): Remedy => ({
  name: "flag-off",
  doc: "the expert's fix: gives the flag its default variant again and restarts flagd",
  commands: (context) => {
    const source = flagOf(context.environment, flag);
    return [
      writeText(context, source, source.text),
      ...restart(context, source.server),
      ...restart(context, piled),
    ];
  },
});

/** The flag is turned off where it is declared, and in the file that flagd follows. */
export const flagOffInPlace = (flag: string, piled?: string): Remedy => ({
  name: "flag-off-in-place",
  doc: "gives the flag its default variant again, also in the file that the running flagd follows",
  applies: ({ environment }) => declaredFlag(environment, flag)?.copy !== undefined,
  commands: (context) => {
    const source = flagOf(context.environment, flag);
    return [
      writeText(context, source, source.text),
      editCopies(context, flag, source),
      ...restart(context, piled),
    ];
  },
});

/** What looks like a repair of a flag and is none. */
export const flagShortcuts = (flag: string): readonly Remedy[] => [
  {
    name: "only-configmap",
    doc: "turns the flag off where it is declared, and lets flagd go on with what it has read",
    commands: (context) => {
      const source = flagOf(context.environment, flag);
      return [writeText(context, source, source.text)];
    },
  },
  {
    name: "only-running",
    doc: "turns the flag off in the file of the running flagd, so that its next start turns it on",
    applies: ({ environment }) => declaredFlag(environment, flag)?.copy !== undefined,
    commands: (context) => [editCopies(context, flag, flagOf(context.environment, flag))],
  },
  {
    name: "other-flags-off",
    doc: "turns every other flag off and restarts flagd",
    commands: (context) => {
      const source = flagOf(context.environment, flag);
      const on = String(
        context.parameters?.["variant"] ?? source.variants.find((one) => one !== source.right),
      );
      return [
        writeText(context, source, withVariant(source.text, flag, on)),
        ...restart(context, source.server),
      ];
    },
  },
  {
    name: "without-flagd",
    doc: "scales flagd away, so that every flag has the value that programs have for it",
    commands: (context) => [
      `${kubectl(context)} scale deployment/${flagOf(context.environment, flag).server} --replicas=0`,
    ],
  },
  restartEverything,
  deletePods,
];

/** Gives the flag that was found its variant again, in the ConfigMap and by a restart of who mounts it. */
export const flagRunbook = (piled?: string): Runbook => ({
  observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps -o name`,
  act({ namespace, target, finding }) {
    const kubectlHere = `kubectl -n ${namespace}`;
    const [, flag = ""] = /\.flags\.([\w-]+)\.defaultVariant$/.exec(finding?.field ?? "") ?? [];
    if (!finding || flag === "")
      return {
        title: `Restart ${target}`,
        commands: [`${kubectlHere} rollout restart deployment/${target}`],
      };
    const { name } = finding.object;
    const before = `\\\\"${flag}\\\\": *\\{[^}]*\\}[^}]*\\\\"defaultVariant\\\\": *\\\\"`;
    const mounts =
      '{range .items[*]}{.metadata.name} {.spec.template.spec.volumes[*].configMap.name}{"\\n"}{end}';
    return {
      title: `Turn the flag ${flag} off`,
      commands: [
        `${kubectlHere} get configmap ${name} -o json | sed -E 's/(${before})[^"\\\\]*/\\1${finding.right}/' | ${kubectlHere} apply -f -`,
        `for d in $(${kubectlHere} get deployments -o jsonpath='${mounts}' | grep -E ' ${name}( |$)' | cut -d" " -f1); do`,
        `  ${kubectlHere} rollout restart deployment/$d`,
        `  ${kubectlHere} rollout status deployment/$d --timeout=20s || echo "still rolling out"`,
        "done",
        ...restart({ namespace }, piled),
      ],
    };
  },
});
