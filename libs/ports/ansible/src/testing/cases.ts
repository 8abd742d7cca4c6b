import type { Execution } from "@microremed/contracts";

/** A playbook, how it ends, and what it leaves in the namespace `shop`. */
export interface PlaybookCase {
  readonly name: string;
  readonly tasks: string;
  readonly status: Execution["status"];
  /** Of the workload `web` and of the ConfigMap `settings`, as `summaryOf` has them. */
  readonly leaves: Partial<Summary>;
}

export interface Summary {
  readonly replicas: number | undefined;
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
  readonly settings: unknown;
  /** How often the template was changed. */
  readonly revision: string;
  readonly labels: Readonly<Record<string, string>>;
}

const shell = (script: string): string => `- shell: |\n${script.replace(/^/gm, "    ")}`;

/** What both runners can do, and what each of it leaves behind. */
export const playbookCases: readonly PlaybookCase[] = [
  {
    name: "k8s merges a definition into what is there",
    status: "ok",
    tasks: `- kubernetes.core.k8s:
    definition:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec:
        template:
          spec:
            containers: [{name: main, env: [{name: MODE, value: fast}]}]`,
    leaves: { env: { MODE: "fast" }, image: "busybox:1.36", revision: "2" },
  },
  {
    name: "k8s creates, patches and removes",
    status: "ok",
    tasks: `- k8s: {kind: ConfigMap, api_version: v1, name: settings, namespace: shop, state: absent}
- k8s:
    definition: "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}, data: {colour: red}}"
- k8s:
    state: patched
    kind: ConfigMap
    name: settings
    namespace: shop
    merge_type: merge
    definition: {data: {shape: round}}`,
    leaves: { settings: { colour: "red", shape: "round" } },
  },
  {
    name: "k8s_scale scales, and waits",
    status: "ok",
    tasks: `- kubernetes.core.k8s_scale: {api_version: apps/v1, kind: Deployment, name: web, namespace: shop, replicas: 3, wait_timeout: 120}`,
    leaves: { replicas: 3 },
  },
  {
    name: "what k8s_info finds decides what is done",
    status: "ok",
    tasks: `- k8s_info: {api_version: apps/v1, kind: Deployment, namespace: shop, label_selectors: [app=web]}
  register: found
- set_fact: {wanted: "{{ (found.resources[0].spec.replicas | int) + 2 }}"}
- assert: {that: [found.resources | length == 1, wanted | int == 3]}
- k8s_scale: {api_version: apps/v1, kind: Deployment, name: web, namespace: shop, replicas: "{{ wanted | int }}", wait: false}
  when: found.resources[0].metadata.name == 'web'
- k8s: {kind: ConfigMap, name: settings, namespace: shop, state: absent}
  when: found.resources | length > 1`,
    leaves: { replicas: 3, settings: { colour: "green" } },
  },
  {
    name: "kubectl scales, sets and waits",
    status: "ok",
    tasks: shell(`set -e
kubectl -n shop scale deployment/web --replicas=2
kubectl -n shop set env deployment/web MODE=slow
kubectl -n shop set resources deployment/web -c main --limits=cpu=300m,memory=128Mi
kubectl -n shop rollout status deployment/web --timeout=90s`),
    leaves: { replicas: 2, env: { MODE: "slow" }, limits: { cpu: "300m", memory: "128Mi" } },
  },
  {
    name: "kubectl undoes a rollout",
    status: "ok",
    tasks: shell(`kubectl -n shop set image deployment/web main=busybox:1.35
kubectl -n shop rollout status deployment/web --timeout=90s
kubectl -n shop rollout undo deployment/web
kubectl -n shop rollout status deployment/web --timeout=90s`),
    leaves: { image: "busybox:1.36", revision: "3" },
  },
  {
    name: "kubectl patches in three ways, labels and annotates",
    status: "ok",
    tasks:
      shell(`kubectl patch deployment web -n shop --type=json -p '[{"op": "replace", "path": "/spec/replicas", "value": 2}]'
kubectl patch configmap settings -n shop --type merge -p '{"data": {"colour": null, "size": "9"}}'
kubectl patch deployment web -n shop -p '{"spec": {"template": {"spec": {"containers": [{"name": "main", "env": [{"name": "A", "value": "1"}]}]}}}}'
kubectl label deployment web -n shop tier=front
kubectl label deployment web -n shop tier=back --overwrite
kubectl annotate configmap settings -n shop note=seen`),
    leaves: { replicas: 2, settings: { size: "9" }, env: { A: "1" }, labels: { tier: "back" } },
  },
  {
    name: "kubectl applies what it is given",
    status: "ok",
    tasks: shell(`cat <<EOF | kubectl apply -n shop -f -
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  colour: blue
EOF`),
    leaves: { settings: { colour: "blue" } },
  },
  {
    name: "kubectl pauses a rollout, changes twice and resumes",
    status: "ok",
    tasks: shell(`set -e
kubectl -n shop rollout pause deployment/web
kubectl -n shop rollout pause deployment/web && exit 1 || true
kubectl -n shop set image deployment/web main=busybox:1.35
kubectl -n shop set resources deployment/web -c main --limits=cpu=300m,memory=128Mi
kubectl -n shop rollout resume deployment/web
kubectl -n shop rollout status deployment/web --timeout=90s`),
    leaves: { image: "busybox:1.35", limits: { cpu: "300m", memory: "128Mi" }, revision: "2" },
  },
  {
    name: "kubectl replaces what it is given, in place and by force",
    status: "ok",
    tasks: shell(`set -e
cat <<EOF | kubectl replace -n shop -f -
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { colour: blue }
EOF
cat <<EOF | kubectl replace --force -n shop -f -
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { colour: red }
EOF
printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"missing"}}' | kubectl replace -n shop -f - && exit 1 || true`),
    leaves: { settings: { colour: "red" } },
  },
  {
    name: "a shell finds the workload by itself",
    status: "ok",
    tasks: shell(`set -e
workload=$(kubectl -n shop get deployment/web statefulset/web --ignore-not-found -o name)
case "$workload" in deployment*) kubectl -n shop scale "$workload" --replicas=4;; esac
if kubectl -n shop get configmap -o name | grep -q settings; then kubectl -n shop delete configmap settings --ignore-not-found --timeout=60s; fi
image=$(kubectl -n shop get deployment web -o jsonpath='{.spec.template.spec.containers[?(@.name=="main")].image}')
test "$image" = busybox:1.36
kubectl -n shop get pods -l app=web -o jsonpath='{range .items[*]}{.metadata.labels.app} {.status.phase}{"\\n"}{end}' | sort -u | grep -qx 'web Running'`),
    leaves: { replicas: 4, settings: undefined },
  },
  {
    name: "a restart rolls the workload over",
    status: "ok",
    tasks: shell(
      "kubectl -n shop rollout restart deployment web && kubectl -n shop rollout status deployment web --timeout=90s",
    ),
    leaves: { revision: "2" },
  },
  {
    name: "a task that fails ends the play",
    status: "failed",
    tasks: `- shell: kubectl -n shop get deployment nobody
- k8s: {kind: ConfigMap, name: settings, namespace: shop, state: absent}`,
    leaves: { settings: { colour: "green" } },
  },
  {
    name: "a failure is rescued, or ignored",
    status: "ok",
    tasks: `- block:
    - shell: exit 3
      register: broken
  rescue:
    - k8s: {kind: ConfigMap, name: settings, namespace: shop, merge_type: merge, definition: {data: {rescued: "yes"}}}
- command: kubectl -n shop delete deployment nobody
  register: gone
  ignore_errors: true
- fail: {msg: it did not fail}
  when: gone.rc == 0 or gone is succeeded`,
    leaves: { settings: { colour: "green", rescued: "yes" } },
  },
  {
    name: "a loop, and a condition that is waited for",
    status: "ok",
    tasks: `- k8s: {kind: ConfigMap, name: settings, namespace: shop, merge_type: merge, definition: {data: "{{ {item.key: item.value} }}"}}
  loop: [{key: a, value: "1"}, {key: b, value: "2"}]
- shell: kubectl -n shop get deployment web -o jsonpath='{.status.readyReplicas}'
  register: ready
  until: ready.stdout == "1"
  retries: 20
  delay: 1
- pause: {seconds: 1}
- debug: {msg: "{{ ready.stdout }} of {{ vars_of_mine | default('one') }}"}`,
    leaves: { settings: { colour: "green", a: "1", b: "2" } },
  },
];
