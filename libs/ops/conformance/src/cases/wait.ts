import { area } from "../area.ts";
import { configMap, container, deployment, job, pod } from "../manifests.ts";
import { fails, given, run, until } from "../steps/index.ts";

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
