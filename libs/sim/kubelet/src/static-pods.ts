import { createHash } from "node:crypto";
import { createDefaulted } from "@microremed/sim-component-base";
import { type NewObject, resources } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { KubeletContext } from "./context.ts";

/** A pod that a kubelet runs from a file of its node, whatever the API server has. */
export interface StaticPod {
  readonly node: string;
  /** Its name goes without the node's. */
  readonly pod: NewObject;
}

/** How soon a kubelet notices that the object of a static pod has gone, ms. */
const noticeMs = 1000;

/** Keeps an object for every static pod: a kubelet makes a deleted one again. */
export function startStaticPods(
  { store, loop }: Pick<KubeletContext, "store" | "loop">,
  pods: readonly StaticPod[],
): void {
  const byName = new Map(pods.map((one) => [`${one.pod.metadata.namespace}/${nameOf(one)}`, one]));

  function report({ node, pod }: StaticPod): void {
    const owner = store.get(resources.nodes, undefined, node);
    const { namespace, annotations } = pod.metadata;
    const name = nameOf({ node, pod });
    if (!owner || store.get(resources.pods, namespace, name)) return;
    const hash = createHash("md5").update(JSON.stringify(pod)).digest("hex");
    createDefaulted(store, resources.pods, {
      ...pod,
      metadata: {
        ...pod.metadata,
        name,
        annotations: {
          ...annotations,
          "kubernetes.io/config.hash": hash,
          "kubernetes.io/config.mirror": hash,
          "kubernetes.io/config.seen": rfc3339(loop.now()),
          "kubernetes.io/config.source": "file",
        },
        ownerReferences: [
          { apiVersion: "v1", kind: "Node", name: node, uid: owner.metadata.uid, controller: true },
        ],
      },
      spec: { ...pod.spec, nodeName: node, tolerations: [{ effect: "NoExecute", operator: "Exists" }] },
    });
  }

  store.watch(resources.pods, ({ type, object: { metadata } }) => {
    const one = byName.get(`${metadata.namespace}/${metadata.name}`);
    if (type === "DELETED" && one) loop.after(noticeMs, "kubelet.static-pods", () => report(one));
  });
  for (const one of pods) report(one);
}

const nameOf = ({ node, pod }: StaticPod): string => `${pod.metadata.name}-${node}`;
