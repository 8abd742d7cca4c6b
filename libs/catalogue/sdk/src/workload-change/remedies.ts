import { renderManifests } from "../environment/render-manifests.ts";
import {
  awaitRollout,
  jsonPatch,
  kubectl,
  type Remedy,
  type RemedyContext,
  replaceStuckPods,
  workloadPath,
} from "../remedy.ts";
import { targetOf } from "../target.ts";
import { declaredValue, type Edit, pointerTo } from "./edits.ts";

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
export function setBack(edits: readonly Pick<Edit, "of" | "field">[]): Remedy {
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

/** A shortcut: gives a field another wrong value. */
export function setOther(doc: string, edit: Omit<Edit, "wrong">, value: unknown): Remedy {
  return {
    name: `other-${edit.field}`,
    doc,
    commands: (context) => [
      jsonPatch(context, [{ op: "add", path: pointerTo(edit, indexOf(context)), value }]),
      ...rollOut(context),
    ],
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
    const manifest = renderManifests(environment, { namespace }).find(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === name,
    );
    const copy = { ...manifest, metadata: { ...manifest?.metadata, name: `${name}-copy` } };
    const text = JSON.stringify(withLabel(copy, "copy")).replaceAll("'", String.raw`'\''`);
    return [
      `echo '${text}' | ${kubectl(context)} apply -f -`,
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
