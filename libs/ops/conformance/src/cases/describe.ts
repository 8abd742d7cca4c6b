import { area } from "../area.ts";
import { box, configMap, container, deployment, job, pod, secret, service } from "../manifests.ts";
import { event, fails, given, ready, replicas, run, until } from "../steps/index.ts";

export const describe = area("describe", {
  "a pod, from its name to its events": [
    given(pod("web", container({ resources: { limits: { cpu: "100m", memory: "64Mi" } }, env: [{ name: "COLOR", value: "red" }] }))),
    ready("web"),
    event("web", "Started", /main/),
    run("describe pod web", [
      /^Name: +web$/m,
      /^Namespace: +\$NS$/m,
      /^Priority: +0$/m,
      /^Service Account: +default$/m,
      /^Node: +\S+\/\S+$/m,
      /^Labels: +app=web$/m,
      /^Status: +Running$/m,
      /^ {2}main:$/m,
      /^ {4}Image: +registry\.k8s\.io\/pause:3\.10$/m,
      /^ {4}State: +Running$/m,
      /^ {4}Ready: +True$/m,
      /^ {4}Restart Count: +0$/m,
      /^ {4}Limits:\n {6}cpu: +100m\n {6}memory: +64Mi$/m,
      /^ {6}COLOR: +red$/m,
      /^QoS Class: +Guaranteed$/m,
      /^Node-Selectors: +<none>$/m,
      /^Tolerations: +node\.kubernetes\.io\/not-ready:NoExecute op=Exists for 300s$/m,
      /^ +Normal +Scheduled +\S+ +default-scheduler +Successfully assigned \$NS\/web to /m,
      /^ +Normal +Started .*Started container main$/m,
    ]),
  ],
  "a pod's conditions": [given(pod("web")), ready("web"), run("describe pod web", /^Conditions:\n {2}Type +Status *\n( {2}\S+ +True *\n){4,5}/m)],
  "a pod's mounts of its service account": [
    given(pod("web")),
    run("describe pod web", [/\/var\/run\/secrets\/kubernetes\.io\/serviceaccount from kube-api-access-\w{5} \(ro\)/, /kube-api-access-\w{5}:\n +Type: +Projected/]),
  ],
  "a pod that can't be scheduled": [
    given(pod("web", container(), { nodeSelector: { $NS: "yes" } })),
    event("web", "FailedScheduling", /0\/\d+ nodes are available/, "Warning"),
    run("describe pod web", [/^Status: +Pending$/m, /^Node: +<none>$/m, /Warning +FailedScheduling/]),
  ],
  "a deployment": [
    given(deployment("web", { replicas: 2 })),
    replicas("deploy/web", 2),
    run("describe deploy web", [
      /^Selector: +app=web$/m,
      /^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable$/m,
      /^StrategyType: +RollingUpdate$/m,
      /^RollingUpdateStrategy: +25% max unavailable, 25% max surge$/m,
      /^ {2}Available +True +MinimumReplicasAvailable$/m,
      /^OldReplicaSets: +<none>$/m,
      /^NewReplicaSet: +web-\w+ \(2\/2 replicas created\)$/m,
      /ScalingReplicaSet .*Scaled up replica set web-\w+ (from 0 )?to 2/,
    ]),
  ],
  "a service and its endpoints": [
    given(pod("web"), service("web", { ports: [{ name: "http", port: 80, targetPort: 8080 }] })),
    ready("web"),
    until("ep/web", { subsets: (list: object[]) => list.length === 1 }),
    run("describe svc web", [/^Selector: +app=web$/m, /^Type: +ClusterIP$/m, /^Port: +http {2}80\/TCP$/m, /^TargetPort: +8080\/TCP$/m, /^Endpoints: +[\d.]+:8080$/m]),
  ],
  "a config map": [given(configMap("one", { key: "value" })), run("describe cm one", /^Data\n====\nkey:\n----\nvalue\n/m)],
  "a secret without its values": [given(secret("one", { key: "value" })), run("describe secret one", [/^Type: +Opaque$/m, /^key: +5 bytes$/m])],
  "a node": [
    run("describe nodes", [
      /^Conditions:$/m,
      /^ {2}Ready +True .*KubeletReady/m,
      /^Capacity:\n {2}cpu: +\d+$/m,
      /^Allocatable:$/m,
      /^Allocated resources:$/m,
      /^Non-terminated Pods:/m,
      /^ {2}Resource +Requests +Limits$/m,
    ]),
  ],
  "a namespace": [run("describe ns $NS", [/^Status: +Active$/m, /No resource quota\./, /No LimitRange resource\./])],
  "a job": [
    given(job("once", "true")),
    until("job/once", { status: { succeeded: 1 } }),
    run("describe job once", [/^Parallelism: +1$/m, /^Completions: +1$/m, /^Pods Statuses: +0 Active .* 1 Succeeded \/ 0 Failed$/m, /SuccessfulCreate .*Created pod: once-/]),
  ],
  "a container's last end": [
    given(pod("crash", box({ command: ["sh", "-c", "exit 3"] }))),
    until("pod/crash", { status: { containerStatuses: [{ restartCount: (n: number) => n > 0 }] } }),
    run("describe pod crash", [/Last State: +Terminated\n +Reason: +Error\n +Exit Code: +3$/m]),
  ],
  "something that does not exist": [fails("describe pod nope", 'Error from server (NotFound): pods "nope" not found')],
  "by prefix": [given(configMap("alpha-one")), run("describe cm alpha", /^Name: +alpha-one$/m)],
});
