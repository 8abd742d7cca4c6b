import { area } from "../area.ts";
import { configMap, container, daemonSet, deployment, nginx, statefulSet } from "../manifests.ts";
import { condition, including } from "../match.ts";
import { event, fails, given, is, replicas, run, until } from "../steps/index.ts";

const web = [given(deployment("web", { replicas: 2 })), replicas("deploy/web", 2)];
const image = (name: string) => ({ spec: { template: { spec: { containers: [{ image: name }] } } } });
const missing = container({ image: "registry.k8s.io/pause:no-such-tag" });

export const rollout = area("rollout", {
  "status waits for the end": [given(deployment("web", { replicas: 2 })), run("rollout status deploy/web --timeout=60s", /deployment "web" successfully rolled out\n$/)],
  "status of a stateful set": [
    given(statefulSet("db", { replicas: 2 })),
    run("rollout status sts/db --timeout=60s", /partitioned roll out complete|statefulset rolling update complete 2 pods at revision db-\w+/),
  ],
  "status of a daemon set": [given(daemonSet("agent")), run("rollout status ds/agent --timeout=60s", /daemon set "agent" successfully rolled out/)],
  "status says what it waits for": [
    given(deployment("web", {}, missing)),
    fails("rollout status deploy/web --timeout=1s", [/Waiting for deployment "web" rollout to finish: 0 (out )?of 1 .*/, /timed out waiting for the condition/]),
  ],
  "status does not wait with --watch=false": [given(deployment("web", {}, missing)), run("rollout status deploy/web --watch=false", /^Waiting for deployment/)],
  restart: [
    ...web,
    run("rollout restart deploy/web", "deployment.apps/web restarted"),
    is("deploy/web", { spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": /^\d{4}-/ } } } } }),
    run("rollout status deploy/web --timeout=60s", /successfully rolled out/),
    is("deploy/web", { metadata: { annotations: { "deployment.kubernetes.io/revision": "2" } } }),
  ],
  history: [
    ...web,
    run("set image deploy/web main=registry.k8s.io/pause:3.9"),
    until("deploy/web", { metadata: { annotations: { "deployment.kubernetes.io/revision": "2" } } }),
    run("rollout history deploy/web", "deployment.apps/web\nREVISION CHANGE-CAUSE\n1 <none>\n2 <none>"),
    run("rollout history deploy/web --revision=1", [/deployment\.apps\/web with revision #1/, /Image:\s+registry\.k8s\.io\/pause:3\.10/]),
  ],
  "history with causes": [
    ...web,
    run("annotate deploy web kubernetes.io/change-cause=first"),
    until("rs", { items: [{ metadata: { annotations: { "kubernetes.io/change-cause": "first" } } }] }),
    run("rollout history deploy/web", /^1 +first$/m),
  ],
  "a revision that does not exist": [...web, fails("rollout history deploy/web --revision=9", /unable to find the specified revision/)],
  undo: [
    ...web,
    run("set image deploy/web main=nginx:1.27"),
    until("deploy/web", { status: { observedGeneration: 2, updatedReplicas: 2 } }),
    run("rollout undo deploy/web", "deployment.apps/web rolled back"),
    is("deploy/web", image("registry.k8s.io/pause:3.10")),
    until("deploy/web", { metadata: { annotations: { "deployment.kubernetes.io/revision": "3" } } }),
    until("rs", { items: (items: object[]) => items.length === 2 }),
  ],
  "undo to a revision": [
    ...web,
    run("set image deploy/web main=nginx:1.27"),
    until("deploy/web", { metadata: { annotations: { "deployment.kubernetes.io/revision": "2" } } }),
    run("set image deploy/web main=busybox:1.35"),
    until("deploy/web", { metadata: { annotations: { "deployment.kubernetes.io/revision": "3" } } }),
    run("rollout undo deploy/web --to-revision=2"),
    is("deploy/web", image(nginx)),
  ],
  "undo with nothing before": [...web, fails("rollout undo deploy/web", /no rollout history found for deployment "web"/)],
  "undo of a stateful set": [
    given(statefulSet("db")),
    replicas("sts/db", 1),
    run("set image sts/db main=registry.k8s.io/pause:3.9"),
    until("revision", { items: (items: object[]) => items.length === 2 }),
    run("rollout undo sts/db", "statefulset.apps/db rolled back"),
    is("sts/db", image("registry.k8s.io/pause:3.10")),
  ],
  "undo of a daemon set": [
    given(daemonSet("agent")),
    until("revision", { items: [{}] }),
    run("set image ds/agent main=registry.k8s.io/pause:3.9"),
    until("revision", { items: [{}, {}] }),
    run("rollout undo ds/agent", "daemonset.apps/agent rolled back"),
    is("ds/agent", image("registry.k8s.io/pause:3.10")),
  ],
  "a pause holds changes back": [
    ...web,
    run("rollout pause deploy/web", "deployment.apps/web paused"),
    run("set image deploy/web main=nginx:1.27"),
    until("deploy/web", { status: { observedGeneration: 3 } }),
    until("deploy/web", condition("Progressing", "Unknown", { reason: "DeploymentPaused" })),
    is("rs", { items: [{}] }),
    run("rollout resume deploy/web", "deployment.apps/web resumed"),
    until("deploy/web", { status: { updatedReplicas: 2, replicas: 2 } }),
  ],
  "restart of a paused one": [...web, run("rollout pause deploy/web"), fails("rollout restart deploy/web", /can't restart paused deployment \(run rollout resume first\)/)],
  "pause twice": [...web, run("rollout pause deploy/web"), fails("rollout pause deploy/web", 'error: deployments.apps "web" is already paused')],
  "restart of what has no rollout": [given(configMap("one")), fails("rollout restart cm/one", /restarting is not supported/)],
});

const limited = (cpu: string) => ({ spec: { containers: [{ resources: { limits: { cpu } } }] } });
const misconfigured = [
  given(deployment("web", {}, container({ resources: { limits: { cpu: "100m" } } }))),
  replicas("deploy/web", 1),
  run("set resources deploy/web --limits=cpu=2m --requests=cpu=1m"),
  run("rollout status deploy/web --timeout=60s"),
  until("pod", { items: [limited("2m")] }),
];

export const deployments = area("deployments", {
  "make a replica set with the template's hash": [
    ...web,
    until("rs", {
      items: [
        {
          metadata: {
            name: /^web-\w+$/,
            labels: { app: "web", "pod-template-hash": /^\w+$/ },
            ownerReferences: [{ kind: "Deployment", name: "web", controller: true, blockOwnerDeletion: true }],
          },
          spec: { replicas: 2 },
        },
      ],
    }),
    until("pod", { items: [{ metadata: { generateName: /^web-\w+-$/, ownerReferences: [{ kind: "ReplicaSet" }] } }, {}] }),
  ],
  "report their conditions": [
    ...web,
    until("deploy/web", condition("Available", "True", { reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." })),
    until("deploy/web", condition("Progressing", "True", { reason: "NewReplicaSetAvailable", message: /^ReplicaSet "web-\w+" has successfully progressed\.$/ })),
    is("deploy/web", {
      metadata: { generation: 1 },
      status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, unavailableReplicas: undefined },
    }),
  ],
  "keep old pods until new ones are ready": [
    ...web,
    run("set image deploy/web main=registry.k8s.io/pause:no-such-tag"),
    until("deploy/web", { status: { updatedReplicas: 1, unavailableReplicas: 1, availableReplicas: 2 } }),
    until("pod", { items: including({ status: { containerStatuses: [{ state: { waiting: { reason: /ImagePull/ } } }] } }) }),
    is("deploy/web", { status: { availableReplicas: 2 } }),
  ],
  "give up after their deadline": [
    given(deployment("web", { progressDeadlineSeconds: 3 }, missing)),
    until("deploy/web", condition("Progressing", "False", { reason: "ProgressDeadlineExceeded", message: /^ReplicaSet "web-\w+" has timed out progressing\.$/ })),
    fails("rollout status deploy/web --timeout=5s", 'error: deployment "web" exceeded its progress deadline'),
  ],
  "Recreate stops everything first": [
    given(deployment("web", { replicas: 2, strategy: { type: "Recreate" } })),
    replicas("deploy/web", 2),
    run("set image deploy/web main=registry.k8s.io/pause:no-such-tag"),
    until("deploy/web", { status: { replicas: 2, updatedReplicas: 2, unavailableReplicas: 2, readyReplicas: undefined } }),
  ],
  "replace a deleted pod": [...web, run("delete pod -l app=web --wait=false"), replicas("deploy/web", 2)],
  "keep as many old replica sets as revisionHistoryLimit": [
    given(deployment("web", { replicas: 1, revisionHistoryLimit: 0 })),
    replicas("deploy/web", 1),
    run("set image deploy/web main=registry.k8s.io/pause:3.9"),
    until("rs", { items: [{ spec: { template: { spec: { containers: [{ image: /3\.9$/ }] } } } }] }),
  ],
  "record what they scale as events": [...web, event("web", "ScalingReplicaSet", /^Scaled up replica set web-\w+ (from 0 )?to 2$/)],
  "with maxUnavailable 0 never fall below their size": [
    given(deployment("web", { replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } })),
    replicas("deploy/web", 2),
    run("set image deploy/web main=nginx:1.27"),
    until("deploy/web", { status: { updatedReplicas: 2, availableReplicas: 2, replicas: 2 } }),
  ],
  "wait for minReadySeconds": [
    given(deployment("web", { minReadySeconds: 500 })),
    until("deploy/web", { status: { readyReplicas: 1, unavailableReplicas: 1 } }),
    is("deploy/web", { status: { availableReplicas: undefined } }),
  ],
  "misconfigured resources outlive the pod": [...misconfigured, run("delete pod -l app=web"), replicas("deploy/web", 1), until("pod", { items: [limited("2m")] })],
  "misconfigured resources end with an undo": [...misconfigured, run("rollout undo deploy/web"), replicas("deploy/web", 1), until("pod", { items: [limited("100m")] })],
  "misconfigured resources end with right ones": [
    ...misconfigured,
    run("set resources deploy/web --limits=cpu=200m"),
    run("rollout status deploy/web --timeout=60s"),
    until("pod", { items: [limited("200m")] }),
  ],
  "misconfigured resources outlive a restart": [
    ...misconfigured,
    run("rollout restart deploy/web"),
    run("rollout status deploy/web --timeout=60s"),
    until("pod", { items: [limited("2m")] }),
  ],
  "adopt matching replica sets": [
    ...web,
    run("delete deploy web --cascade=orphan", /^deployment\.apps "web" deleted/),
    until("rs", { items: [{ metadata: { ownerReferences: undefined } }] }),
    given(deployment("web", { replicas: 2 })),
    until("rs", { items: [{ metadata: { ownerReferences: [{ kind: "Deployment" }] } }] }),
  ],
});
