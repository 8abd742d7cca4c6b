import { area } from "../area.ts";
import { box, configMap, deployment, list, pod, shell } from "../manifests.ts";
import { fails, given, gone, http, is, ready, replicas, run, until } from "../steps/index.ts";

const unstoppable = box(shell("trap '' TERM; while true; do sleep 1; done"));

export const deletion = area("delete", {
  "and say so": [given(configMap("one")), run("delete cm one", /^configmap "one" deleted/), is("cm/one", undefined)],
  "everything of a kind": [given(configMap("one"), configMap("two")), run("delete cm one two -o name", "configmap/one\nconfigmap/two")],
  "by label": [
    given(configMap("one", {}, { labels: { a: "1" } }), configMap("two")),
    run("delete cm -l a=1", /^configmap "one" deleted\S*.*\n$/),
    is("cm/two", { kind: "ConfigMap" }),
  ],
  "from a file": [given(configMap("one"), configMap("two")), run("delete -f -", undefined, { input: list(configMap("one"), configMap("two")) }), is("cm/two", undefined)],
  "what does not exist": [fails("delete cm nope", 'Error from server (NotFound): configmaps "nope" not found')],
  "what does not exist, in silence": [run("delete cm nope --ignore-not-found", /^$/)],
  "a pod after its grace period": [
    given(pod("slow", unstoppable, { terminationGracePeriodSeconds: 1 })),
    ready("slow"),
    run("delete pod slow", /^pod "slow" deleted/),
    is("pod/slow", undefined),
  ],
  "a pod is Terminating meanwhile": [
    given(pod("slow", unstoppable, { terminationGracePeriodSeconds: 3600 })),
    ready("slow"),
    run("delete pod slow --wait=false", /^pod "slow" deleted/),
    run("get pod slow", /^slow +1\/1 +Terminating +0/m),
    is("pod/slow", { metadata: { deletionTimestamp: /^\d{4}-/, deletionGracePeriodSeconds: 3600 } }),
    run("delete pod slow --grace-period=0 --force"),
    gone("pod/slow"),
  ],
  "a pod whose containers have ended is Completed, though a finalizer holds it": [
    // Its shell answers SIGTERM once its sleep is over.
    given({ ...pod("held", box(), { terminationGracePeriodSeconds: 30 }), metadata: { name: "held", finalizers: ["example.com/held"] } }),
    ready("held"),
    run("delete pod held --wait=false", /^pod "held" deleted/),
    until("pod/held", { status: { phase: "Succeeded" } }),
    run("get pod held", /^held +0\/1 +Completed +0/m),
    run(`patch pod held --type=merge -p '{"metadata":{"finalizers":null}}'`),
    gone("pod/held"),
  ],
  "a pod at once": [
    given(pod("web")),
    ready("web"),
    run("delete pod web --grace-period=0 --force", /^pod "web" force deleted/, { stderr: /Immediate deletion does not wait for confirmation/ }),
    is("pod/web", undefined),
  ],
  "with a dry run": [given(configMap("one")), run("delete cm one --dry-run=server", /^configmap "one" deleted.* \(server dry run\)/), is("cm/one", { kind: "ConfigMap" })],
  "a finalizer holds an object": [
    given(configMap("one", {}, { finalizers: ["example.com/held"] })),
    run("delete cm one --wait=false"),
    is("cm/one", { metadata: { deletionTimestamp: /./, finalizers: ["example.com/held"] } }),
    fails(
      `patch cm one --type=merge -p '{"metadata":{"finalizers":["example.com/held","example.com/more"]}}'`,
      /metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted/,
    ),
    run(`patch cm one --type=merge -p '{"metadata":{"finalizers":null}}'`),
    gone("cm/one"),
  ],
  "in the background: dependents follow": [
    given(deployment("web", { replicas: 1 })),
    replicas("deploy/web", 1),
    run("delete deploy web"),
    until("rs", { items: [] }),
    until("pod", { items: [] }),
  ],
  "in the foreground: dependents go first": [
    given(deployment("web", { replicas: 1 })),
    replicas("deploy/web", 1),
    run("delete deploy web --cascade=foreground", /deployment\.apps "web" deleted/),
    is("deploy/web", undefined),
    is("rs", { items: [] }),
  ],
  "orphans stay": [
    given(deployment("web", { replicas: 1 })),
    replicas("deploy/web", 1),
    run("delete deploy web --cascade=orphan"),
    until("rs", { items: [{ metadata: { ownerReferences: undefined, finalizers: undefined } }] }),
  ],
  "only with the right uid": [
    given(configMap("one")),
    http(
      "DELETE /api/v1/namespaces/$NS/configmaps/one",
      409,
      { reason: "Conflict", message: /UID in (the )?precondition/ },
      { body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "0000" } } },
    ),
  ],
  "a collection": [
    given(configMap("one", {}, { labels: { a: "1" } }), configMap("two", {}, { labels: { a: "1" } })),
    http("DELETE /api/v1/namespaces/$NS/configmaps?labelSelector=a=1", 200, { kind: "ConfigMapList" }),
    until("cm?labelSelector=a=1", { items: [] }),
  ],
  "the answer names what was deleted": [
    given(configMap("one")),
    http("DELETE /api/v1/namespaces/$NS/configmaps/one", 200, { kind: "Status", status: "Success", details: { name: "one", kind: "configmaps", uid: /-/ } }),
  ],
});
