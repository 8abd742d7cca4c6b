import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { customResources } from "@microremed/sim-kinds";
import { type KubeObject, type ResourceRef, resources } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

/** What a namespace may hold to the end without its deletion waiting for it: these are not cleaned up with pods. */
const pollMs = 500;

/** Of each namespace: the API server's certificates, for its pods. */
const certificates = "kube-root-ca.crt";

interface Remainder {
  readonly resource: ResourceRef;
  readonly object: KubeObject;
}

/** `a has 2 resource instances, b has 1 resource instances`. */
function counted(names: readonly string[], verb: string): string {
  const kinds = [...new Set(names)].sort();
  return kinds
    .map((kind) => `${kind} ${verb} ${names.filter((name) => name === kind).length} resource instances`)
    .join(", ");
}

function conditionsOf(kinds: readonly string[], finalizers: readonly string[]) {
  const fine = (type: string, reason: string, message: string) => ({
    type,
    status: "False",
    reason,
    message,
  });
  return [
    fine("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    fine(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    fine(
      "NamespaceDeletionContentFailure",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    {
      type: "NamespaceContentRemaining",
      status: "True",
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${counted(kinds, "has")}`,
    },
    finalizers.length > 0
      ? {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${counted(finalizers, "in")}`,
        }
      : fine(
          "NamespaceFinalizersRemaining",
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        ),
  ];
}

/** Gives every namespace its defaults, and empties and removes one that is being deleted. */
export function startNamespaceController(ctx: ControllerContext, caPem: () => string): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "namespace", delayMs: 20 }, reconcile);

  function ensure(resource: ResourceRef, kind: string, namespace: string, name: string, rest: object): void {
    if (store.get(resource, namespace, name)) return;
    store.create(resource, { apiVersion: "v1", kind, metadata: { name, namespace }, ...rest });
  }

  function addDefaults(namespace: string): void {
    ensure(resources.serviceAccounts, "ServiceAccount", namespace, "default", {});
    publishCertificates(namespace);
  }

  /** What a client has written there is written over, unless it has made it immutable. */
  function publishCertificates(namespace: string): void {
    const data = { "ca.crt": caPem() };
    ensure(resources.configMaps, "ConfigMap", namespace, certificates, { data });
    const published = store.get(resources.configMaps, namespace, certificates);
    if (!published || published["immutable"] === true) return;
    if (JSON.stringify(published["data"]) !== JSON.stringify(data))
      store.update(resources.configMaps, { ...published, data });
  }

  /** Deletes everything in the namespace. Returns what is still there. */
  function empty(namespace: string): readonly Remainder[] {
    const left: Remainder[] = [];
    for (const resource of [...ctx.allResources, ...customResources(store)]) {
      for (const object of store.list(resource, namespace)) {
        if (object.metadata.deletionTimestamp === undefined) {
          store.delete(resource, namespace, object.metadata.name, { propagationPolicy: "Background" });
        }
        const still = store.get(resource, namespace, object.metadata.name);
        if (still) left.push({ resource, object: still });
      }
    }
    return left;
  }

  /** Says in the namespace's conditions what it waits for. */
  function report(name: string, left: readonly Remainder[]): void {
    const at = rfc3339(ctx.loop.now());
    const finalizers = left.flatMap(({ object }) => object.metadata.finalizers ?? []);
    const computed = conditionsOf(
      left.map(({ resource }) => `${resource.resource}.${resource.group}`),
      finalizers,
    );
    store.mutate(
      resources.namespaces,
      undefined,
      name,
      (fresh) => {
        const old: readonly { type: string; status: string; lastTransitionTime: string }[] =
          fresh.status?.conditions ?? [];
        const conditions = computed.map((each) => {
          const before = old.find(({ type, status }) => type === each.type && status === each.status);
          return { ...each, lastTransitionTime: before?.lastTransitionTime ?? at };
        });
        return { ...fresh, status: { ...fresh.status, conditions } };
      },
      { status: true },
    );
  }

  function finalize(namespace: KubeObject): void {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name: string) => name !== "kubernetes");
    store.update(resources.namespaces, { ...namespace, spec: { ...namespace.spec, finalizers } });
  }

  function reconcile(name: string): void {
    const namespace = store.get(resources.namespaces, undefined, name);
    if (!namespace) return;
    if (namespace.metadata.deletionTimestamp === undefined) {
      addDefaults(name);
      return;
    }
    const left = empty(name);
    if (left.length > 0) {
      report(name, left);
      queue.addAfter(name, pollMs);
      return;
    }
    finalize(namespace);
  }

  for (const { metadata } of store.list(resources.namespaces)) queue.add(metadata.name);
  store.watch(resources.namespaces, ({ object }) => queue.add(object.metadata.name));
  for (const resource of [resources.serviceAccounts, resources.configMaps]) {
    store.watch(resource, (event) => {
      const { name, namespace } = event.object.metadata;
      if (namespace && (event.type === "DELETED" || name === certificates)) queue.add(namespace);
    });
  }
}
