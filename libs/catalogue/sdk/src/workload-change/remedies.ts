import { kinds } from "@microremed/cluster";
import { shellWord } from "@microremed/core";
import { manifestOf } from "../field-change.ts";
import {
  awaitRollout,
  jsonPatch,
  kubectl,
  type Remedy,
  type RemedyContext,
  replaceStuckPods,
  workloadPath,
} from "../remedy.ts";
import { type Place, targetOf } from "../target.ts";
import { declaredValue, pointerTo, type WorkloadField } from "./edits.ts";

/** What follows a change of a workload: pods that are stuck are replaced, and the rollout is waited for. */
export const rollOut = (context: RemedyContext): string[] => [
  ...replaceStuckPods(context),
  awaitRollout(context),
];

/** A repair: goes back to the revision before the wrong one. */
export const undoRollout: Remedy = {
  name: "undo",
  doc: "goes back to the revision before the wrong one",
  commands: (context) => [`${kubectl(context)} rollout undo ${workloadPath(context)}`, ...rollOut(context)],
};

/** A repair: gives the fields the values that the environment declares, or takes them away where it has none. */
export function setBack(edits: readonly WorkloadField[]): Remedy {
  const fields = edits.map(({ field }) => field).join(" and ");
  return {
    name: "set-back",
    doc: `sets ${fields} to what was declared`,
    commands: (context) => [
      jsonPatch(
        context,
        edits.map((edit) => {
          const place = targetOf(context.environment, context.target);
          const value = place && declaredValue(context.environment, place, edit);
          const path = pointerTo(edit, indexOf(context));
          return value === undefined ? { op: "remove", path } : { op: "add", path, value };
        }),
      ),
      ...rollOut(context),
    ],
  };
}

/** A shortcut: gives a field another wrong value. `value`: a function of where that is, if it follows from the fault's own. */
export function setOther(
  doc: string,
  edit: WorkloadField,
  value: object | string | ((context: RemedyContext, place: Place) => unknown),
): Remedy {
  return {
    name: `other-${edit.field}`,
    doc,
    commands: (context) => {
      const place = targetOf(context.environment, context.target);
      const given = typeof value === "function" && place ? value(context, place) : value;
      return [
        jsonPatch(context, [{ op: "add", path: pointerTo(edit, indexOf(context)), value: given }]),
        ...rollOut(context),
      ];
    },
  };
}

const indexOf = ({ workload, container }: RemedyContext): number =>
  workload.containers.findIndex(({ name }) => name === container);

/** A shortcut: another Deployment whose pods have the labels of the target's, so that its Services lead to them. */
export const anotherDeployment: Remedy = {
  name: "another-deployment",
  doc: "starts a copy under another name behind the same Services and leaves the workload broken",
  applies: ({ workload }) => workload.kind === "Deployment",
  commands: (context) => {
    const { environment, namespace, name } = context;
    const manifest = manifestOf(environment, kinds.deployment, name);
    const copy = { ...manifest, metadata: { ...manifest?.metadata, namespace, name: `${name}-copy` } };
    const text = shellWord(JSON.stringify(withLabel(copy, "copy")));
    return [
      `echo ${text} | ${kubectl(context)} apply -f -`,
      `${kubectl(context)} rollout status deployment/${name}-copy --timeout=20s || echo "still rolling out"`,
    ];
  },
};

/** The Deployment with a label more on its pods and in its selector, so that it owns no other's pods. */
function withLabel(manifest: object, value: string): object {
  const { spec, ...rest } = manifest as { spec: Selecting };
  const own = { track: value };
  const { selector, template } = spec;
  return {
    ...rest,
    spec: {
      ...spec,
      selector: { matchLabels: { ...selector.matchLabels, ...own } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata.labels, ...own } },
      },
    },
  };
}

interface Selecting {
  readonly selector: { readonly matchLabels: object };
  readonly template: { readonly metadata: { readonly labels: object } };
}
