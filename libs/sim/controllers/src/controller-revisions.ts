import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerReference,
  createOwnerIndex,
} from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, resources } from "@microremed/sim-objects";
import { canonicalTemplate, templateHash } from "./pod-template.ts";
import { revisionLabel } from "./stateful-set-pods.ts";

/** The stored pod templates of a StatefulSet or DaemonSet, which `kubectl rollout history` shows. */
export interface ControllerRevisions {
  /** The revision of the owner's present template; made, or raised to the newest number, if need be. */
  current(owner: KubeObject): KubeObject;
  get(owner: KubeObject, name: string): KubeObject | undefined;
  /** Drops the oldest beyond the history limit that no pod uses. */
  cleanUp(owner: KubeObject, inUse: ReadonlySet<string>): void;
}

// biome-ignore lint/suspicious/noExplicitAny: `data` is whatever the controller stored
const dataOf = (revision: KubeObject): any => revision["data"];

export function templateOf(revision: KubeObject): KubeObject["spec"] {
  const { $patch: _patch, ...template } = dataOf(revision).spec.template;
  return template;
}

const numberOf = (revision: KubeObject): number => Number(revision["revision"]);

export function createControllerRevisions(ctx: ControllerContext): ControllerRevisions {
  const { store } = ctx;
  const byOwner = createOwnerIndex(ctx, resources.controllerRevisions);

  function create(owner: KubeObject, revision: number): KubeObject {
    const hash = templateHash(owner.spec.template);
    const { namespace, name, annotations } = owner.metadata;
    return store.create(resources.controllerRevisions, {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name: `${name}-${hash}`,
        ...(namespace && { namespace }),
        labels: {
          ...owner.spec.template.metadata?.labels,
          "controller.kubernetes.io/hash": hash,
          [revisionLabel]: `${name}-${hash}`,
        },
        ...(annotations && { annotations }),
        ownerReferences: [controllerReference(owner)],
      },
      data: { spec: { template: { ...owner.spec.template, $patch: "replace" } } },
      revision,
    });
  }

  /** Those that a set of the same pods has left behind. */
  function adopt(owner: KubeObject): void {
    for (const revision of byOwner.orphans(owner.metadata.namespace)) {
      const { metadata } = revision;
      if (isTerminating(revision) || !matchesSelector(owner.spec.selector, metadata.labels)) continue;
      const ownerReferences = [...(metadata.ownerReferences ?? []), controllerReference(owner)];
      store.update(resources.controllerRevisions, {
        ...revision,
        metadata: { ...metadata, ownerReferences },
      });
    }
  }

  return {
    current(owner) {
      adopt(owner);
      const known = byOwner.of(owner.metadata.uid);
      const newest = Math.max(0, ...known.map(numberOf));
      const wanted = canonicalTemplate(owner.spec.template);
      const same = known.find((revision) => canonicalTemplate(templateOf(revision)) === wanted);
      if (!same) return create(owner, newest + 1);
      if (numberOf(same) === newest) return same;
      return store.update(resources.controllerRevisions, { ...same, revision: newest + 1 });
    },
    get: (owner, name) => store.get(resources.controllerRevisions, owner.metadata.namespace, name),
    cleanUp(owner, inUse) {
      const limit: number = owner.spec.revisionHistoryLimit ?? 10;
      const idle = byOwner.of(owner.metadata.uid).filter((revision) => !inUse.has(revision.metadata.name));
      const oldest = [...idle]
        .sort((a, b) => numberOf(a) - numberOf(b))
        .slice(0, Math.max(0, idle.length - limit));
      for (const { metadata } of oldest) {
        store.delete(resources.controllerRevisions, metadata.namespace, metadata.name);
      }
    },
  };
}
