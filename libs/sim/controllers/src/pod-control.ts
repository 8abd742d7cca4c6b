import { type ControllerContext, controllerReference, createDefaulted } from "@microremed/sim-component-base";
import { type KubeObject, type NewObject, resources, StatusError } from "@microremed/sim-objects";

/** Creates and deletes pods for a controller, with the events that kubectl describe shows. */
export interface PodControl {
  create(owner: KubeObject, template: KubeObject["spec"], change?: (pod: NewObject) => NewObject): KubeObject;
  delete(owner: KubeObject, pod: KubeObject): void;
}

/** Of a plug-in (403) or a webhook, which answers with codes of its own (400 and more) or does not answer (500). */
const isRefusal = (error: unknown): error is StatusError =>
  error instanceof StatusError && ![404, 409].includes(error.code);

/** What forbids the objects that `make` creates. Undefined: nothing does. What is no refusal is thrown on. */
export function refusalOf(make: () => void): StatusError | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

export function createPodControl(ctx: ControllerContext, component: string): PodControl {
  const rng = ctx.rng.fork(component);

  /** Creates the pod; a refusal is an event of the owner before it is thrown on. */
  function admitted(owner: KubeObject, pod: NewObject): KubeObject {
    try {
      return createDefaulted(ctx.store, resources.pods, pod, { names: rng, webhooks: ctx.webhooks });
    } catch (error) {
      if (isRefusal(error)) {
        ctx.events.record({ component }, owner, {
          type: "Warning",
          reason: "FailedCreate",
          message: `Error creating: ${error.message}`,
        });
      }
      throw error;
    }
  }

  return {
    create(owner, template, change = (pod) => pod) {
      const { labels, annotations, finalizers } = template.metadata ?? {};
      const pod = admitted(
        owner,
        change({
          apiVersion: "v1",
          kind: "Pod",
          metadata: {
            generateName: `${owner.metadata.name}-`,
            ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
            ...(labels && { labels }),
            ...(annotations && { annotations }),
            ...(finalizers && { finalizers }),
            ownerReferences: [controllerReference(owner)],
          },
          spec: template.spec,
        }),
      );
      ctx.events.record({ component }, owner, {
        type: "Normal",
        reason: "SuccessfulCreate",
        message: `Created pod: ${pod.metadata.name}`,
      });
      return pod;
    },
    delete(owner, pod) {
      ctx.store.delete(resources.pods, pod.metadata.namespace, pod.metadata.name, {
        preconditions: { uid: pod.metadata.uid },
      });
      ctx.events.record({ component }, owner, {
        type: "Normal",
        reason: "SuccessfulDelete",
        message: `Deleted pod: ${pod.metadata.name}`,
      });
    },
  };
}
