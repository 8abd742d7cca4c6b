import { area } from "../area.ts";
import { box, container, deployment, job, pod, shell } from "../manifests.ts";
import { fails, given, http, replicas, run, says, until } from "../steps/index.ts";
import { prints } from "../steps/serves.ts";
import { ended, inBox, say, two } from "./some-pods.ts";

const lines = [given(say("talk", "for i in 1 2 3 4 5; do echo line $i; done")), ended("talk")];

export const logs = area("logs", {
  "everything a container said": [...lines, run("logs talk", "line 1\nline 2\nline 3\nline 4\nline 5")],
  "the last lines": [...lines, run("logs talk --tail=2", /^line 4\nline 5\n$/)],
  "no lines": [...lines, run("logs talk --tail=0", /^$/)],
  "the first bytes": [...lines, run("logs talk --limit-bytes=7", /^line 1\n?$/)],
  "with the time of each line": [...lines, run("logs talk --timestamps --tail=1", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z line 5\n$/)],
  "of the last hour": [...lines, run("logs talk --since=1h", /line 1[\s\S]*line 5/)],
  "since a time to come": [...lines, run("logs talk --since-time=2099-01-01T00:00:00Z", /^$/)],
  "followed to the end": [given(say("talk", "echo one; sleep 1; echo two")), until("pod/talk", { status: { phase: /Running|Succeeded/ } }), run("logs -f talk", "one\ntwo")],
  "of a loop, with the time of each round": [
    given(say("counter", 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done')),
    until("pod/counter", { status: { phase: "Running" } }),
    says("counter", /^0: .* 20\d\d\n1: .*\n2: .*\n3: /),
  ],
  "of a loop with conditions and functions": [
    given(say("loop", "f() { echo in $1; }; while sleep 1; do for i in 1 2; do if [ $i = 1 ]; then f $i; else echo not $i; fi; done; done")),
    until("pod/loop", { status: { phase: "Running" } }),
    says("loop", /^in 1\nnot 2\nin 1\nnot 2\n/),
  ],
  "of a loop that ends, and its exit code": [
    given(say("loop", "for i in 1 2 3; do echo $i; sleep 1; done; exit 4")),
    until("pod/loop", { status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 4 } } }] } }),
    run("logs loop", "1\n2\n3"),
  ],
  "of a loop that works with files": [
    given(say("loop", "while true; do date >> /tmp/f; wc -l < /tmp/f; sleep 1; done")),
    until("pod/loop", { status: { phase: "Running" } }),
    says("loop", /^1\n2\n3\n/),
  ],
  "of a loop, followed": [given(say("loop", "while true; do echo x; sleep 1; done")), until("pod/loop", { status: { phase: "Running" } }), prints("logs -f loop", /(x\n){4}/)],
  "of the container before": [
    // It ends once: a kubelet keeps the logs of the last dead container only.
    given(
      pod("crash", box({ ...shell("test -e /v/been && exec sleep 600; touch /v/been; echo dying; exit 1"), volumeMounts: [{ name: "v", mountPath: "/v" }] }), {
        volumes: [{ name: "v", emptyDir: {} }],
      }),
    ),
    until("pod/crash", { status: { containerStatuses: [{ restartCount: 1, state: { running: {} } }] } }),
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
