import { area } from "../area.ts";
import { box, busybox, configMap, container, nginx, pod, podSpec, secret, shell } from "../manifests.ts";
import { event, given, is, needs, ready, run, until } from "../steps/index.ts";
import { ended, notInPath, say } from "./some-pods.ts";

const mainState = (state: object, more: object = {}) => ({ status: { containerStatuses: [{ state, ...more }] } }) as never;
const waiting = (reason: RegExp, message: RegExp = /./) => mainState({ waiting: { reason, message } });

export const kubelet = area("kubelet", {
  "runs a pod and reports all of its conditions": [
    given(pod("web")),
    ready("web"),
    is("pod/web", {
      status: {
        phase: "Running",
        podIP: /./,
        hostIP: /./,
        startTime: /./,
        qosClass: "BestEffort",
        conditions: (all: { type: string; status: string }[]) =>
          ["PodScheduled", "Initialized", "ContainersReady", "Ready"].every((type) => all.some((each) => each.type === type && each.status === "True")),
        containerStatuses: [
          {
            name: "main",
            ready: true,
            started: true,
            restartCount: 0,
            image: /pause:3\.10/,
            imageID: /sha256:/,
            containerID: /^\w+:\/\/\w+/,
            state: { running: { startedAt: /./ } },
          },
        ],
      },
    }),
  ],
  "an end with 0": [
    given(say("once", "true")),
    until("pod/once", { status: { phase: "Succeeded", containerStatuses: [{ state: { terminated: { exitCode: 0, reason: "Completed", startedAt: /./, finishedAt: /./ } } }] } }),
  ],
  "an end with an error": [
    given(say("once", "exit 7")),
    until("pod/once", { status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 7, reason: "Error" } } }] } }),
  ],
  "restarts on failure only": [
    given(pod("once", box(shell("true")), { restartPolicy: "OnFailure" })),
    ended("once"),
    is("pod/once", mainState({ terminated: { exitCode: 0 } }, { restartCount: 0 })),
  ],
  "two containers of a pod that want the same port": [
    given(pod("web", container({ image: nginx }), { containers: [container({ image: nginx }), container({ name: "other", image: nginx })] })),
    until("pod/web", {
      status: {
        containerStatuses: (all: { ready: boolean; restartCount: number }[] | undefined) =>
          all?.filter((each) => each.ready).length === 1 && all.some((each) => each.restartCount > 0),
      },
    }),
    run("logs -l app=web --all-containers --tail=-1", /bind\(\) to 0\.0\.0\.0:80 failed \(98: Address already in use\)/),
  ],
  "a crash loop": [
    given(pod("crash", box(shell("exit 1")))),
    until(
      "pod/crash",
      mainState(
        { waiting: { reason: "CrashLoopBackOff", message: /^back-off \d+m?\d*s restarting failed container=main pod=crash_\$?conf-/ } },
        { lastState: { terminated: { exitCode: 1, reason: "Error" } } },
      ),
    ),
    run("get pod crash", /^crash +0\/1 +(CrashLoopBackOff|Error) +\d+ \(\S+ ago\)/m),
  ],
  "an image that does not exist": [
    given(pod("web", container({ image: "registry.k8s.io/pause:no-such-tag" }))),
    until("pod/web", waiting(/^ErrImagePull$|^ImagePullBackOff$/)),
    until("pod/web", waiting(/^ImagePullBackOff$/, /^Back-off pulling image "registry\.k8s\.io\/pause:no-such-tag"/)),
    is("pod/web", { status: { phase: "Pending" } }),
  ],
  "an image name that is none": [given(pod("web", container({ image: "Not/An/Image" }))), until("pod/web", waiting(/^InvalidImageName$/))],
  "an image that must be there already": [
    given(pod("web", container({ image: "registry.k8s.io/pause:no-such-tag", imagePullPolicy: "Never" }))),
    until("pod/web", waiting(/^ErrImageNeverPull$/, /Container image "registry\.k8s\.io\/pause:no-such-tag" is not present with pull policy of Never/)),
  ],
  "a config map that is missing": [
    given(pod("web", container({ envFrom: [{ configMapRef: { name: "later" } }] }))),
    until("pod/web", waiting(/^CreateContainerConfigError$/, /^configmap "later" not found$/)),
    given(configMap("later")),
    ready("web"),
  ],
  "a key that is missing": [
    given(configMap("one"), pod("web", container({ env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "one", key: "nope" } } }] }))),
    until("pod/web", waiting(/^CreateContainerConfigError$/, /^couldn't find key nope in ConfigMap \S+\/one$/)),
  ],
  "a secret that is missing": [
    given(pod("web", container({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "later", key: "k" } } }] }))),
    until("pod/web", waiting(/^CreateContainerConfigError$/, /^secret "later" not found$/)),
  ],
  "a command that is not there": [
    given(pod("web", container({ image: busybox, command: ["nonsense"] }))),
    until("pod/web", {
      status: {
        containerStatuses: [
          {
            state: (state: unknown) => /RunContainerError|StartError|CrashLoopBackOff/.test(JSON.stringify(state)),
            restartCount: (n: number) => n >= 1,
            lastState: { terminated: { exitCode: 128, reason: "StartError", message: notInPath("nonsense") } },
          },
        ],
      },
    }),
  ],
  "variables from config maps and secrets": [
    given(configMap("cfg", { COLOR: "red" }), secret("sec", { k: "hush" })),
    given(
      pod(
        "env",
        {
          name: "main",
          image: busybox,
          ...shell("echo $P$COLOR $S $NODE $NAME"),
          envFrom: [{ configMapRef: { name: "cfg" }, prefix: "X_" }, { configMapRef: { name: "cfg" } }],
          env: [
            { name: "S", valueFrom: { secretKeyRef: { name: "sec", key: "k" } } },
            { name: "P", value: "$(X_COLOR)-" },
            { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          ],
        },
        { restartPolicy: "Never" },
      ),
    ),
    ended("env"),
    run("logs env", "red-red hush env"),
  ],
  "optional references may be missing": [given(pod("web", container({ envFrom: [{ configMapRef: { name: "nope", optional: true } }] }))), ready("web")],
  "files from a config map": [
    given(
      configMap("cfg", { "app.conf": "a=1" }),
      pod("web", box({ volumeMounts: [{ name: "v", mountPath: "/etc/app" }] }), { volumes: [{ name: "v", configMap: { name: "cfg" } }] }),
    ),
    ready("web"),
    run("exec web -- cat /etc/app/app.conf", "a=1"),
  ],
  "a volume of a config map that is missing": [
    given(pod("web", box({ volumeMounts: [{ name: "v", mountPath: "/v" }] }), { volumes: [{ name: "v", configMap: { name: "later" } }] })),
    until("pod/web", waiting(/^ContainerCreating$/, /|/)),
    until("event?fieldSelector=reason=FailedMount", {
      items: (items: { message: string }[]) => items.some(({ message }) => /MountVolume\.SetUp failed for volume "v" : configmap "later" not found/.test(message)),
    }),
    given(configMap("later")),
    ready("web"),
  ],
  "an empty directory is shared and outlives a container": [
    given(
      pod("share", container(), {
        volumes: [{ name: "v", emptyDir: {} }],
        initContainers: [{ name: "write", image: busybox, ...shell("echo hi > /v/f"), volumeMounts: [{ name: "v", mountPath: "/v" }] }],
        containers: [box({ volumeMounts: [{ name: "v", mountPath: "/v" }] })],
      }),
    ),
    ready("share"),
    run("exec share -- cat /v/f", "hi"),
  ],
  "init containers run one after the other": [
    given(
      pod("web", container(), {
        initContainers: [
          { name: "one", image: busybox, ...shell("true") },
          { name: "two", image: busybox, ...shell("true") },
        ],
      }),
    ),
    ready("web"),
    is("pod/web", {
      status: {
        initContainerStatuses: [
          { name: "one", ready: true, state: { terminated: { exitCode: 0 } } },
          { name: "two", ready: true },
        ],
      },
    }),
  ],
  "an init container that fails": [
    given(pod("web", container(), { initContainers: [{ name: "one", image: busybox, ...shell("exit 1") }] })),
    until("pod/web", { status: { phase: "Pending", initContainerStatuses: [{ restartCount: (n: number) => n > 0 }] } }),
    run("get pod web", /^web +0\/1 +Init:(CrashLoopBackOff|Error|0\/1) +/m),
  ],
  "an init container that fails for good": [
    given(pod("web", container(), { restartPolicy: "Never", initContainers: [{ name: "one", image: busybox, ...shell("exit 1") }] })),
    until("pod/web", { status: { phase: "Failed" } }),
    run("get pod web", /Init:Error/),
  ],
  "a sidecar starts before and stays": [
    needs("Kubernetes 1.29"),
    given(pod("web", container(), { initContainers: [box({ name: "side", restartPolicy: "Always" })] })),
    ready("web"),
    run("get pod web", /^web +2\/2 +Running/m),
  ],
  "readiness by a command": [
    given(pod("web", box({ readinessProbe: { exec: { command: ["cat", "/tmp/ok"] }, periodSeconds: 1 } }))),
    until("event?fieldSelector=reason=Unhealthy", {
      items: (items: { message: string }[]) => items.some(({ message }) => message.startsWith("Readiness probe failed: cat: can't open '/tmp/ok'")),
    }),
    is("pod/web", { status: { phase: "Running", containerStatuses: [{ ready: false, restartCount: 0 }] } }),
    run("exec web -- touch /tmp/ok"),
    ready("web"),
    run("exec web -- rm /tmp/ok"),
    until("pod/web", { status: { containerStatuses: [{ ready: false, restartCount: 0 }] } }),
  ],
  "liveness by a command restarts": [
    given(pod("web", box({ livenessProbe: { exec: { command: ["cat", "/tmp/ok"] }, periodSeconds: 1, failureThreshold: 1 } }))),
    until("pod/web", { status: { containerStatuses: [{ restartCount: (n: number) => n > 0 }] } }),
    until("event?fieldSelector=reason=Killing", {
      items: (items: { message: string }[]) => items.some(({ message }) => message === "Container main failed liveness probe, will be restarted"),
    }),
  ],
  "readiness over HTTP": [given(pod("web", container({ image: nginx, readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 1 } }))), ready("web")],
  "a port without a listener": [
    given(pod("web", container({ readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1 } }))),
    until("event?fieldSelector=reason=Unhealthy", {
      items: (items: { message: string }[]) => items.some(({ message }) => /^Readiness probe failed: dial tcp [\d.]+:81: connect: connection refused$/.test(message)),
    }),
  ],
  "startup comes before liveness": [
    given(
      pod(
        "web",
        box({ startupProbe: { exec: { command: ["cat", "/tmp/ok"] }, periodSeconds: 1, failureThreshold: 600 }, livenessProbe: { exec: { command: ["true"] }, periodSeconds: 1 } }),
      ),
    ),
    until("pod/web", mainState({ running: {} }, { started: false, ready: false })),
    run("exec web -- touch /tmp/ok"),
    until("pod/web", mainState({ running: {} }, { started: true, ready: true, restartCount: 0 })),
  ],
  "a process killed from inside": [
    given(pod("web", box({ ...shell("trap 'exit 9' TERM; while true; do sleep 1; done") }))),
    ready("web"),
    run("exec web -- kill 1"),
    until("pod/web", { status: { containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 9, reason: "Error" } } }] } }),
  ],
  "memory beyond the limit": [
    given(
      pod(
        "eat",
        { name: "main", image: busybox, command: ["dd", "if=/dev/zero", "of=/dev/null", "bs=512M"], resources: { limits: { memory: "32Mi" } } },
        { restartPolicy: "Never" },
      ),
    ),
    until("pod/eat", { status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 137, reason: "OOMKilled" } } }] } }),
  ],
  "a deadline of the pod": [
    given(pod("slow", container(), { activeDeadlineSeconds: 2, restartPolicy: "Never" })),
    until("pod/slow", { status: { phase: "Failed", reason: "DeadlineExceeded" } }),
  ],
  "a main process that does not handle SIGTERM is killed when its grace is over": [
    given(pod("deaf", box({ command: ["sleep", "3600"] }), { terminationGracePeriodSeconds: 1 })),
    ready("deaf"),
    run("set image pod/deaf main=busybox:1.36"),
    until("pod/deaf", { status: { containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 137, reason: "Error" } } }] } }),
  ],
  "quality of service": [
    given(pod("b"), pod("u", container({ resources: { requests: { cpu: "1m" } } })), pod("g", container({ resources: { limits: { cpu: "10m", memory: "16Mi" } } }))),
    is("pod/b", { status: { qosClass: "BestEffort" } }),
    is("pod/u", { status: { qosClass: "Burstable" } }),
    is("pod/g", { status: { qosClass: "Guaranteed" } }),
  ],
  "a changed image restarts the container only": [
    given(pod("web")),
    ready("web"),
    run("set image pod/web main=registry.k8s.io/pause:3.9"),
    until("pod/web", { status: { containerStatuses: [{ restartCount: 1, ready: true, image: /pause:3\.9/ }] } }),
  ],
  "a termination message": [
    given(say("last", "echo the end > /dev/termination-log; exit 1")),
    until("pod/last", { status: { containerStatuses: [{ state: { terminated: { message: "the end\n" } } }] } }),
  ],
  "a volume claim that does not exist": [
    given(pod("web", container(), { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "nope" } }] })),
    until("pod/web", {
      status: { phase: "Pending", conditions: (all: { message?: string }[] = []) => all.some(({ message }) => /persistentvolumeclaim "nope" not found/.test(message ?? "")) },
    }),
  ],
  "a whole name for the host of a pod": [
    given(pod("web", box(), { subdomain: "db", setHostnameAsFQDN: true })),
    ready("web"),
    run("exec web -- hostname", /^web\.db\.\$NS\.svc\.cluster\.local\n$/),
    run("exec web -- cat /etc/hosts", /\tweb\.db\.\$NS\.svc\.cluster\.local\tweb$/m),
  ],
  "a whole name that is too long for a host": [
    given(pod("web", container(), { hostname: "long".repeat(12), subdomain: "db", setHostnameAsFQDN: true })),
    event("web", "FailedCreatePodSandBox", /FQDN (long)+\.db\.\S+ is too long \(64 characters is the max, \d+ characters requested\)$/, "Warning"),
    is("pod/web", { status: { phase: "Pending" } }),
  ],
  "the spec's defaults": [
    given({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [container()] } }),
    is("pod/web", {
      spec: {
        restartPolicy: "Always",
        dnsPolicy: "ClusterFirst",
        terminationGracePeriodSeconds: 30,
        schedulerName: "default-scheduler",
        serviceAccountName: "default",
        enableServiceLinks: true,
        priority: 0,
        preemptionPolicy: "PreemptLowerPriority",
        containers: [
          {
            imagePullPolicy: "IfNotPresent",
            terminationMessagePath: "/dev/termination-log",
            terminationMessagePolicy: "File",
            volumeMounts: [{ mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }],
          },
        ],
      },
    }),
  ],
  "the latest tag is always pulled": [
    given(pod("web", container({ image: "busybox" }), podSpec(container({ image: "busybox", ...shell("sleep 1") })))),
    is("pod/web", { spec: { containers: [{ imagePullPolicy: "Always" }] } }),
  ],
});
