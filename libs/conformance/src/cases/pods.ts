import { area } from "../area.ts";
import { box, busybox, configMap, container, deployment, job, list, nginx, pod, podSpec, secret, shell } from "../manifests.ts";
import { client, fails, given, gone, http, is, needs, ready, replicas, run, until } from "../steps/index.ts";

const say = (name: string, script: string) => pod(name, { name: "main", image: busybox, ...shell(script) }, { restartPolicy: "Never" });
const ended = (name: string) => until(`pod/${name}`, { status: { phase: "Succeeded" } });
const lines = [given(say("talk", "for i in 1 2 3 4 5; do echo line $i; done")), ended("talk")];
const inBox = [given(pod("box", box())), ready("box")];
const two = [given(pod("two", box({ name: "one" }), { containers: [box({ name: "one" }), box({ name: "other" })] })), ready("two")];

export const logs = area("logs", {
  "everything a container said": [...lines, run("logs talk", "line 1\nline 2\nline 3\nline 4\nline 5")],
  "the last lines": [...lines, run("logs talk --tail=2", /^line 4\nline 5\n$/)],
  "no lines": [...lines, run("logs talk --tail=0", /^$/)],
  "the first bytes": [...lines, run("logs talk --limit-bytes=7", /^line 1\n?$/)],
  "with the time of each line": [...lines, run("logs talk --timestamps --tail=1", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z line 5\n$/)],
  "of the last hour": [...lines, run("logs talk --since=1h", /line 1[\s\S]*line 5/)],
  "since a time to come": [...lines, run("logs talk --since-time=2099-01-01T00:00:00Z", /^$/)],
  "followed to the end": [given(say("talk", "echo one; sleep 1; echo two")), until("pod/talk", { status: { phase: /Running|Succeeded/ } }), run("logs -f talk", "one\ntwo")],
  "of the container before": [
    given(pod("crash", box(shell("echo dying; exit 1")))),
    until("pod/crash", { status: { containerStatuses: [{ restartCount: (n: number) => n > 0 }] } }),
    run("logs crash -p", "dying"),
  ],
  "of a container before that never was": [...inBox, fails("logs box -p", /Error from server \(BadRequest\): previous terminated container "main" in pod "box" not found/)],
  "of one of several containers": [
    given(pod("two", container(), { restartPolicy: "Never", containers: [box({ name: "a", ...shell("echo from a") }), box({ name: "b", ...shell("echo from b") })] })),
    ended("two"),
    run("logs two -c b", "from b"),
  ],
  "of all containers": [
    given(pod("two", container(), { restartPolicy: "Never", containers: [box({ name: "a", ...shell("echo from a") }), box({ name: "b", ...shell("echo from b") })] })),
    ended("two"),
    run("logs two --all-containers --prefix", [/^\[pod\/two\/a\] from a$/m, /^\[pod\/two\/b\] from b$/m]),
  ],
  "of a default container, which is named": [...two, run("logs two", undefined, { stderr: /Defaulted container "one" out of: one, other/ })],
  "of a container that does not exist": [...inBox, fails("logs box -c nope", /container nope is not valid for pod box/)],
  "of several containers without a choice": [
    ...two,
    http("GET /api/v1/namespaces/$NS/pods/two/log", 400, { message: "a container name must be specified for pod two, choose one of: [one other]" }),
  ],
  "of pods by label": [given(say("talk", "echo hello")), ended("talk"), run("logs -l app=talk", "hello")],
  "of a deployment": [given(deployment("web", {}, box(shell("echo started; sleep 3600")))), replicas("deploy/web", 1), run("logs deploy/web", "started")],
  "of a job": [given(job("once", "echo worked")), until("job/once", { status: { succeeded: 1 } }), run("logs job/once", "worked")],
  "of a container that waits for its image": [
    given(pod("late", container({ image: "registry.k8s.io/pause:no-such-tag" }))),
    until("pod/late", { status: { containerStatuses: [{ state: { waiting: { reason: /ImagePull/ } } }] } }),
    fails("logs late", /container "main" in pod "late" is waiting to start: (trying and failing to pull image|image can't be pulled)/),
  ],
  "of a pod that does not exist": [fails("logs nope", /pods "nope" not found/)],
});

export const exec = area("exec", {
  "stdout and exit code 0": [...inBox, run("exec box -- echo hello", /^hello\n$/)],
  "another exit code": [...inBox, fails("exec box -- sh -c 'exit 3'", /command terminated with exit code 3/, { exit: 3 })],
  "stderr by itself": [...inBox, run("exec box -- sh -c 'echo oops >&2'", /^$/, { stderr: /^oops$/m })],
  "stdin to its end": [...inBox, run("exec -i box -- cat", /^some text$/, { input: "some text" })],
  "a program that is not there": [...inBox, fails("exec box -- nonsense", /exec: "nonsense": executable file not found in \$PATH/, { exit: "any" })],
  "an image without any program": [given(pod("empty")), ready("empty"), fails("exec empty -- ls", /executable file not found in \$PATH/, { exit: "any" })],
  "one of several containers": [...two, run("exec two -c other -- hostname", /^two\n$/)],
  "a container that does not exist": [...inBox, fails("exec box -c nope -- ls", /container nope is not valid for pod box|container not found \("nope"\)/)],
  "a pod of a deployment": [given(deployment("web", {}, box())), replicas("deploy/web", 1), run("exec deploy/web -- hostname", /^web-\w+-\w{5}\n$/)],
  "a pod that does not exist": [fails("exec nope -- ls", /pods "nope" not found/)],
  "a pod that has ended": [given(say("done", "true")), ended("done"), fails("exec done -- ls", /cannot exec into a container in a completed pod; current phase is Succeeded/)],
  "environment, hostname and files": [
    given(
      pod(
        "box",
        box({
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "$(A)2" },
          ],
        }),
      ),
    ),
    ready("box"),
    run("exec box -- sh -c 'echo $B $HOSTNAME; echo text > /tmp/f; cat /tmp/f'", "12 box\ntext"),
  ],
  "variables of services": [...inBox, run("exec box -- printenv KUBERNETES_SERVICE_HOST", /^[\d.a-f:]+\n$/)],
  processes: [...inBox, run("exec box -- ps", /^ +1 root .*sh -c/m)],
  "names of the cluster": [...inBox, run("exec box -- nslookup kubernetes.default.svc.cluster.local", /Name:\s+kubernetes\.default\.svc\.cluster\.local/)],
  "the service account's files": [...inBox, run("exec box -- cat /var/run/secrets/kubernetes.io/serviceaccount/namespace", /^\$NS$/)],
  "the search path of names": [...inBox, run("exec box -- cat /etc/resolv.conf", /^search \$NS\.svc\.cluster\.local svc\.cluster\.local cluster\.local/m)],
  "a file copied in and out": [
    ...inBox,
    {
      run: async ({ target, kubectl }) => {
        const { writeFile, readFile } = await import("node:fs/promises");
        const [from, to] = [`${target.dir}/cp-in.txt`, `${target.dir}/cp-out.txt`];
        await writeFile(from, "copied\n");
        const ran = [await kubectl(["cp", from, "box:/tmp/copy"]), await kubectl(["cp", "box:/tmp/copy", to])];
        if (ran.some(({ exit }) => exit !== 0)) throw new Error(ran.map(({ stderr }) => stderr).join());
        if ((await readFile(to, "utf8")) !== "copied\n") throw new Error("the copy differs");
      },
    },
  ],
  "debug with a container of its own": [
    given(pod("web")),
    ready("web"),
    run("debug web --image=busybox:1.36 -c look -- sleep 3600", undefined),
    until("pod/web", { status: { ephemeralContainerStatuses: [{ name: "look", state: { running: {} } }] } }),
    run("exec web -c look -- echo inside", "inside"),
  ],
  "debug a copy": [
    given(pod("web")),
    run("debug web --copy-to=copy --image=busybox:1.36 -c look -- sleep 3600", undefined),
    until("pod/copy", { spec: { containers: [{ name: "main" }, { name: "look" }] }, status: { phase: "Running" } }),
  ],
  "a copy of what is not there": [...inBox, fails("cp box:/tmp/nope /tmp/conformance-nope", /no such file or directory/i, { exit: "any" })],
});

export const top = area("top", {
  nodes: [needs("metrics-server"), run("top nodes", [/^NAME +CPU\(cores\) +CPU(%|\(%\)) +MEMORY\(bytes\) +MEMORY(%|\(%\))/, /^\S+ +\d+m +\d+% +\d+Mi +\d+% *$/m])],
  "pods, once they are measured": [
    needs("metrics-server"),
    ...inBox,
    until("pod/box", { status: { phase: "Running" } }),
    client(async (_clients, { target, namespace, signal }) => {
      const { setTimeout: delay } = await import("node:timers/promises");
      const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods/box`;
      while ((await target.http("GET", path, { signal })).status !== 200) await delay(200, undefined, { signal });
    }),
    run("top pod box", /^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nbox +\d+m +\d+Mi *\n$/),
    run("top pod box --containers", /^POD +NAME +CPU\(cores\) +MEMORY\(bytes\) *\nbox +main +\d+m +\d+Mi/),
  ],
  "a pod that does not exist": [needs("metrics-server"), fails("top pod nope", /NotFound.*nope" not found/)],
  "no pods at all": [needs("metrics-server"), run("top pods", /^$/, { stderr: "No resources found in $NS namespace." })],
});

export const wait = area("wait", {
  "a condition": [given(pod("web")), run("wait --for=condition=Ready pod/web --timeout=60s", "pod/web condition met")],
  "several at once": [
    given(deployment("web", { replicas: 2 })),
    until("pod", { items: [{}, {}] }),
    run("wait --for=condition=Ready pod -l app=web --timeout=60s", /^(pod\/web-\S+ condition met\n){2}$/),
  ],
  "a condition that is false": [
    given(pod("web", container({ readinessProbe: { exec: { command: ["no"] } } }))),
    run("wait --for=condition=Ready=False pod/web --timeout=60s", "pod/web condition met"),
  ],
  "a value of a field": [given(pod("web")), run("wait --for=jsonpath={.status.phase}=Running pod/web --timeout=60s", "pod/web condition met")],
  availability: [given(deployment("web")), run("wait --for=condition=Available deploy/web --timeout=60s", "deployment.apps/web condition met")],
  completion: [given(job("once", "true")), run("wait --for=condition=complete job/once --timeout=60s", "job.batch/once condition met")],
  deletion: [given(pod("web")), run("delete pod web --wait=false"), run("wait --for=delete pod/web --timeout=60s")],
  "deletion of what is not there": [run("wait --for=delete pod/nope --timeout=1s", /^$/)],
  "a timeout": [given(configMap("one")), fails("wait --for=condition=Ready cm/one --timeout=1s", "error: timed out waiting for the condition on configmaps/one")],
  "something that does not exist": [fails("wait --for=condition=Ready pod/nope --timeout=1s", 'Error from server (NotFound): pods "nope" not found')],
});

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
    given(pod("slow", box({ ...shell("trap '' TERM; while true; do sleep 1; done") }), { terminationGracePeriodSeconds: 1 })),
    ready("slow"),
    run("delete pod slow", /^pod "slow" deleted/),
    is("pod/slow", undefined),
  ],
  "a pod is Terminating meanwhile": [
    given({ ...pod("held"), metadata: { name: "held", finalizers: ["example.com/held"] } }),
    ready("held"),
    run("delete pod held --wait=false", /^pod "held" deleted/),
    run("get pod held", /^held +\d\/1 +Terminating +0/m),
    is("pod/held", { metadata: { deletionTimestamp: /^\d{4}-/, deletionGracePeriodSeconds: (n: number) => n <= 1 } }),
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
            lastState: { terminated: { exitCode: 128, reason: "StartError", message: /exec: "nonsense": executable file not found in \$PATH/ } },
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
  "a port where nobody listens": [
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
