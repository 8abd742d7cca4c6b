import { area } from "../area.ts";
import { box, busybox, container, cronJob, daemonSet, deployment, job, manifest, pod, podSpec, replicaSet, shell, statefulSet } from "../manifests.ts";
import { condition, including } from "../match.ts";
import { event, fails, given, gone, http, is, needs, ready, refuses, replaced, replicas, run, until } from "../steps/index.ts";

const conditionOf = (reason: string) => condition("Failed", "True", { reason });
const indexKey = "batch.kubernetes.io/job-completion-index";
/** The pod of an indexed Job `index` that works on this index. */
const numbered = (index: string) => ({
  metadata: {
    name: new RegExp(`^index-${index}-[a-z0-9]{5}$`),
    generateName: `index-${index}-`,
    labels: { [indexKey]: index },
    annotations: { [indexKey]: index },
  },
  spec: { hostname: `index-${index}` },
});
const busy = container({ image: busybox, ...shell("while true; do sleep 1; done"), resources: { requests: { cpu: "1m" } } });
const scaler = (name: string, min: number, max: number) =>
  manifest("autoscaling/v2 HorizontalPodAutoscaler", name, {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: min,
      maxReplicas: max,
      metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
    },
  });
const budget = (spec: object) => manifest("policy/v1 PodDisruptionBudget", "web", { spec: { selector: { matchLabels: { app: "web" } }, ...spec } });

export const replicaSets = area("replica sets", {
  "make as many pods as they should": [given(replicaSet("web", { replicas: 3 })), replicas("rs/web", 3), event("web", "SuccessfulCreate", /^Created pod: web-\w{5}$/)],
  "delete the surplus": [
    given(replicaSet("web", { replicas: 3 })),
    replicas("rs/web", 3),
    run("scale rs web --replicas=1"),
    replicas("rs/web", 1),
    event("web", "SuccessfulDelete", /^Deleted pod: web-/),
  ],
  "adopt pods that match": [
    given(pod("web"), replicaSet("web", { replicas: 1 })),
    until("pod/web", { metadata: { ownerReferences: [{ kind: "ReplicaSet", name: "web", controller: true }] } }),
    is("pod", { items: [{}] }),
  ],
  "let go of pods that no longer match": [
    given(replicaSet("web", { replicas: 1 })),
    replicas("rs/web", 1),
    run("label pod -l app=web app=other --overwrite"),
    until("pod?labelSelector=app=other", { items: [{ metadata: { ownerReferences: undefined } }] }),
    replicas("rs/web", 1),
  ],
});

const controller = (spec: object = {}) =>
  manifest("v1 ReplicationController", "web", {
    spec: { replicas: 2, selector: { app: "web" }, template: { metadata: { labels: { app: "web" } }, spec: podSpec() }, ...spec },
  });

export const replicationControllers = area("replication controllers", {
  "make as many pods as they should": [
    given(controller()),
    replicas("rc/web", 2),
    run("get rc web", /^NAME +DESIRED +CURRENT +READY +AGE\nweb +2 +2 +2 +\S+\n$/),
    event("web", "SuccessfulCreate", /^Created pod: web-\w{5}$/),
    is("pod?labelSelector=app=web", { items: [{ metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ReplicationController", name: "web", controller: true }] } }, {}] }),
  ],
  scale: [
    given(controller()),
    run("scale rc web --replicas=1", "replicationcontroller/web scaled"),
    replicas("rc/web", 1),
    event("web", "SuccessfulDelete", /^Deleted pod: web-/),
    http("GET /api/v1/namespaces/$NS/replicationcontrollers/web/scale", 200, { kind: "Scale", spec: { replicas: 1 }, status: { selector: "app=web" } }),
  ],
  "select by their template's labels": [given(controller({ selector: undefined })), is("rc/web", { metadata: { labels: { app: "web" } }, spec: { selector: { app: "web" } } })],
  "need a template that they select": [
    refuses(controller({ selector: { app: "other" } }), /spec\.template\.metadata\.labels: Invalid value: .*"app":"web".*: `selector` does not match template `labels`/),
  ],
  "go with their pods": [given(controller()), replicas("rc/web", 2), run("delete rc web"), until("pod", { items: [] })],
});

export const statefulSets = area("stateful sets", {
  "number their pods and start them in order": [
    given(statefulSet("db", { replicas: 3 })),
    replicas("sts/db", 3),
    run("get pods --sort-by=.metadata.creationTimestamp -o name", /^pod\/db-0\npod\/db-1\npod\/db-2\n$/),
  ],
  "wait for each pod to be ready": [
    given(statefulSet("db", { replicas: 2 }, container({ readinessProbe: { exec: { command: ["no"] }, periodSeconds: 1 } }))),
    until("pod/db-0", { status: { phase: "Running" } }),
    is("pod", { items: [{ metadata: { name: "db-0" } }] }),
  ],
  "start all at once with podManagementPolicy Parallel": [
    given(statefulSet("db", { replicas: 2, podManagementPolicy: "Parallel" }, container({ readinessProbe: { exec: { command: ["no"] } } }))),
    until("pod", { items: [{}, {}] }),
  ],
  "remove the highest number first": [
    given(statefulSet("db", { replicas: 3 })),
    replicas("sts/db", 3),
    run("scale sts db --replicas=1"),
    replicas("sts/db", 1),
    is("pod", { items: [{ metadata: { name: "db-0" } }] }),
  ],
  "label pods with their name and number": [
    needs("Kubernetes 1.28"),
    given(statefulSet("db")),
    until("pod/db-0", {
      metadata: { labels: { "statefulset.kubernetes.io/pod-name": "db-0", "apps.kubernetes.io/pod-index": "0", "controller-revision-hash": /^db-/ } },
      spec: { hostname: "db-0", subdomain: "db" },
    }),
  ],
  "make a claim for each pod and keep it": [
    given(
      statefulSet(
        "db",
        { volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "16Mi" } } } }] },
        container({ volumeMounts: [{ name: "data", mountPath: "/data" }] }),
      ),
    ),
    until("pvc/data-db-0", { spec: { accessModes: ["ReadWriteOnce"] } }),
    run("delete sts db"),
    gone("pod/db-0"),
    is("pvc/data-db-0", { metadata: { name: "data-db-0" } }),
  ],
  "bring back a deleted pod under the same name": [given(statefulSet("db")), ready("db-0"), ...replaced("db-0"), ready("db-0")],
  "update from the last to the first, down to the partition": [
    given(statefulSet("db", { replicas: 2, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } })),
    replicas("sts/db", 2),
    run("set image sts/db main=registry.k8s.io/pause:3.9"),
    until("pod/db-1", { spec: { containers: [{ image: "registry.k8s.io/pause:3.9" }] } }),
    until("sts/db", { status: { updatedReplicas: 1, readyReplicas: 2 } }),
    is("pod/db-0", { spec: { containers: [{ image: "registry.k8s.io/pause:3.10" }] } }),
  ],
  "OnDelete leaves pods alone": [
    given(statefulSet("db", { updateStrategy: { type: "OnDelete" } })),
    replicas("sts/db", 1),
    run("set image sts/db main=registry.k8s.io/pause:3.9"),
    until("sts/db", { status: { observedGeneration: 2 } }),
    ...replaced("db-0"),
    until("pod/db-0", { spec: { containers: [{ image: "registry.k8s.io/pause:3.9" }] } }),
  ],
});

export const daemonSets = area("daemon sets", {
  "run one pod on every node they may": [
    given(daemonSet("agent")),
    until("ds/agent", { status: { desiredNumberScheduled: (n: number) => n > 0, numberMisscheduled: 0 } }),
    run("rollout status ds/agent --timeout=60s"),
    run("get ds agent", /^NAME +DESIRED +CURRENT +READY +UP-TO-DATE +AVAILABLE +NODE SELECTOR +AGE\nagent +(\d+) +\1 +\1 +\1 +\1 +<none> +\S+\n$/),
  ],
  "note their annotations with each revision": [
    given(daemonSet("agent")),
    until("ds/agent", { status: { observedGeneration: 1 } }),
    run("annotate ds agent kubernetes.io/change-cause=second"),
    run("set env ds/agent A=1"),
    until("ds/agent", { status: { observedGeneration: 2 } }),
    http("GET /apis/apps/v1/namespaces/$NS/controllerrevisions", 200, {
      items: (items: { revision: number; metadata: { annotations: Record<string, string> } }[]) =>
        items.every(({ revision, metadata: { annotations } }) => annotations["deprecated.daemonset.template.generation"] === String(revision)) && items.length === 2,
    }),
    run("rollout history ds/agent", /^2 +second$/m),
  ],
  "count their templates": [
    given(daemonSet("agent")),
    is("ds/agent", { metadata: { annotations: { "deprecated.daemonset.template.generation": "1" } } }),
    until("pod", {
      items: (items: { metadata: { labels: Record<string, string> } }[]) => items.length > 0 && items.every(({ metadata }) => metadata.labels["pod-template-generation"] === "1"),
    }),
    run("label ds agent a=b"),
    is("ds/agent", { metadata: { generation: 1, annotations: { "deprecated.daemonset.template.generation": "1" } } }),
    run("set env ds/agent A=1"),
    is("ds/agent", { metadata: { generation: 2, annotations: { "deprecated.daemonset.template.generation": "2" } } }),
  ],
  "keep to nodes of a selector": [
    given(daemonSet("agent", {}, container(), { nodeSelector: { $NS: "none" } })),
    until("ds/agent", { status: { observedGeneration: 1, desiredNumberScheduled: 0 } }),
    is("pod", { items: [] }),
  ],
  "keep to nodes of an affinity": [
    given(
      daemonSet("agent", {}, container(), {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["no-such-node"] }] }] },
          },
        },
      } as never),
    ),
    until("ds/agent", { status: { observedGeneration: 1, desiredNumberScheduled: 0 } }),
    is("pod", { items: [] }),
  ],
  "tolerate what befalls nodes": [
    given(daemonSet("agent")),
    until("pod", {
      items: (items: { spec: { tolerations: object[] } }[]) =>
        items.length > 0 && items.every(({ spec }) => including({ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" })(spec.tolerations)),
    }),
  ],
  "a broken update can be undone": [
    given(daemonSet("agent")),
    run("rollout status ds/agent --timeout=60s"),
    run("set image ds/agent main=registry.k8s.io/pause:no-such-tag"),
    until("pod", {
      items: (items: { status: { containerStatuses?: { state: { waiting?: { reason: string } } }[] } }[]) =>
        items.some(({ status }) => /^(ErrImagePull|ImagePullBackOff)$/.test(status.containerStatuses?.[0]?.state.waiting?.reason ?? "")),
    }),
    run("rollout undo ds/agent"),
    run("rollout status ds/agent --timeout=90s", /successfully rolled out/),
    is("pod", { items: (items: { spec: { containers: { image: string }[] } }[]) => items.every(({ spec }) => !spec.containers[0]?.image.endsWith("no-such-tag")) }),
  ],
  "replace their pods on an update": [
    given(daemonSet("agent")),
    run("rollout status ds/agent --timeout=60s"),
    run("set image ds/agent main=registry.k8s.io/pause:3.9"),
    run("rollout status ds/agent --timeout=90s", /successfully rolled out/),
    is("pod", { items: (items: { spec: { containers: { image: string }[] } }[]) => items.every(({ spec }) => spec.containers[0]?.image.endsWith("3.9")) }),
  ],
});

export const jobs = area("jobs", {
  "run to completion": [
    given(job("once", "echo done")),
    until("job/once", { status: { succeeded: 1, startTime: /./, completionTime: /./ } }),
    until("job/once", condition("Complete", "True")),
  ],
  "run as often as they should, some at a time": [given(job("many", "true", { completions: 3, parallelism: 2 })), until("job/many", { status: { succeeded: 3 } })],
  "try again and give up": [
    given(job("bad", "exit 1", { backoffLimit: 1 })),
    until("job/bad", { status: { failed: 2 } }),
    until("job/bad", condition("Failed", "True", { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" })),
  ],
  "restart the container with restartPolicy OnFailure": [
    given(job("bad", "exit 1", { template: { spec: podSpec({ name: "main", image: busybox, ...shell("exit 1") }, { restartPolicy: "OnFailure" }) } })),
    until("pod", { items: [{ status: { containerStatuses: [{ restartCount: (n: number) => n > 0 }] } }] }),
  ],
  "end at their deadline": [given(job("slow", "sleep 3600", { activeDeadlineSeconds: 2 })), until("job/slow", conditionOf("DeadlineExceeded"))],
  "label their pods": [
    given(job("once", "true")),
    until("pod", {
      items: [{ metadata: { generateName: "once-", labels: { "batch.kubernetes.io/job-name": "once", "job-name": "once", "batch.kubernetes.io/controller-uid": /-/ } } }],
    }),
  ],
  "number their pods when indexed": [
    given(job("index", 'test "$(hostname)" = "index-$JOB_COMPLETION_INDEX"', { completions: 2, parallelism: 2, completionMode: "Indexed" })),
    until("job/index", { status: { succeeded: 2, completedIndexes: "0,1" } }),
    is("pod", { items: [numbered("0"), numbered("1")] }),
  ],
  "wait while suspended": [
    given(job("later", "true", { suspend: true })),
    until("job/later", condition("Suspended", "True")),
    is("pod", { items: [] }),
    run(`patch job later --type=merge -p '{"spec":{"suspend":false}}'`),
    until("job/later", { status: { succeeded: 1 } }),
  ],
  "vanish some time after the end": [given(job("once", "true", { ttlSecondsAfterFinished: 1 })), gone("job/once")],
  "may not restart always": [
    fails("create -f -", /spec\.template\.spec\.restartPolicy: (Required|Unsupported) value.*"OnFailure", "Never"/, {
      input: job("bad", "true", { template: { spec: podSpec() } }),
    }),
  ],
});

export const cronJobs = area("cron jobs", {
  "make jobs when it is time": [
    given(cronJob("tick")),
    until("job", { items: (items: object[]) => items.length > 0 }),
    until("cj/tick", { status: { lastScheduleTime: /^\d{4}-/ } }),
    run("get jobs -o jsonpath={.items[0].metadata.ownerReferences[0].kind}", /^CronJob$/),
  ],
  "make none while suspended": [
    given(cronJob("tick", { suspend: true })),
    run("get cj tick", /^NAME +SCHEDULE +TIMEZONE +SUSPEND +ACTIVE +LAST SCHEDULE +AGE\ntick +\* \* \* \* \* +<none> +True +0 +<none> +\S+\n$/),
  ],
  "know a bad schedule": [fails("create -f -", /spec\.schedule: Invalid value: "whenever"/, { input: cronJob("tick", { schedule: "whenever" }) })],
});

export const autoscalers = area("horizontal pod autoscalers", {
  "grow what is busy": [
    needs("metrics-server"),
    given(deployment("web", {}, box({ resources: { requests: { cpu: "1m" } }, ...shell("while true; do :; done") }))),
    given(scaler("web", 2, 3)),
    until("deploy/web", { spec: { replicas: (n: number) => n >= 2 } }),
    until("hpa/web", { status: { desiredReplicas: (n: number) => n >= 2 } }),
  ],
  "say that they can't read metrics": [
    given(deployment("web", { replicas: 1 }), scaler("web", 1, 3)),
    until("hpa/web", condition("ScalingActive", "False", { reason: "FailedGetResourceMetric" })),
  ],
  "say that their target does not exist": [
    given(scaler("web", 1, 3)),
    until("hpa/web", condition("AbleToScale", "False", { reason: "FailedGetScale", message: /deployments(\/scale)?\.apps "web" not found/ })),
  ],
  "may not have less maximum than minimum": [
    fails("create -f -", /spec\.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`/, { input: scaler("web", 2, 1) }),
  ],
  "keep to the minimum": [given(deployment("web", { replicas: 1 }, busy), scaler("web", 2, 4)), until("deploy/web", { spec: { replicas: 2 } })],
});

export const budgets = area("disruption budgets", {
  "count what may be evicted": [
    given(deployment("web", { replicas: 3 }), budget({ minAvailable: 2 })),
    until("pdb/web", { status: { currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1, expectedPods: 3 } }),
  ],
  "count by percentage": [given(deployment("web", { replicas: 4 }), budget({ maxUnavailable: "25%" })), until("pdb/web", { status: { desiredHealthy: 3, disruptionsAllowed: 1 } })],
  "refuse evictions": [
    given(deployment("web", { replicas: 1 }), budget({ minAvailable: 1 })),
    until("pdb/web", { status: { currentHealthy: 1, disruptionsAllowed: 0 } }),
    run("get pods -o name"),
    {
      async run({ kubectl, namespace, target, signal }) {
        const { stdout } = await kubectl(["get", "pods", "-o", "jsonpath={.items[0].metadata.name}"]);
        const body = JSON.stringify({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: stdout } });
        const { status, text } = await target.http("POST", `/api/v1/namespaces/${namespace}/pods/${stdout}/eviction`, { body, signal });
        const wanted = "Cannot evict pod as it would violate the pod's disruption budget.";
        if (status !== 429 || JSON.parse(text).message !== wanted) throw new Error(`eviction answered ${status}: ${text}`);
      },
    },
  ],
  "do not guard against deletion": [given(deployment("web"), budget({ minAvailable: 1 })), replicas("deploy/web", 1), run("delete pod -l app=web", /deleted/)],
  "may not have both bounds": [fails("create -f -", /minAvailable and maxUnavailable cannot be both set/, { input: budget({ minAvailable: 1, maxUnavailable: 1 }) })],
});
