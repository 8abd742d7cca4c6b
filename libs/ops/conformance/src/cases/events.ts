import { area } from "../area.ts";
import { pod } from "../manifests.ts";
import { including } from "../match.ts";
import { given, http, ready, run, until } from "../steps/index.ts";

export const events = area("events", {
  "of a pod's life, in order": [
    given(pod("web")),
    ready("web"),
    until("event?fieldSelector=involvedObject.name%3Dweb", {
      items: (items: { reason: string }[]) => ["Scheduled", "Pulled", "Created", "Started"].every((reason) => items.some((item) => item.reason === reason)),
    }),
    run("get events --field-selector involvedObject.name=web -o jsonpath='{range .items[*]}{.reason} {end}'", /Scheduled.*(Pulled|Pulling).*Created.*Started/),
  ],
  "as a table": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    run("get events", [/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/, /Normal +Scheduled +pod\/web +Successfully assigned \$NS\/web to /]),
  ],
  "by kubectl events": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    run("events --for pod/web", [/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/, /Normal +Scheduled +Pod\/web/]),
  ],
  "with ages on the client's clock": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    run("events --for pod/web", /^\d+[sm](\d+s)? +Normal +Scheduled /m),
    run("describe pod web", /^ {2}Normal +Scheduled +\d+[sm](\d+s)? +default-scheduler /m),
    run("get events", /^\d+[sm](\d+s)? +Normal +Scheduled /m),
  ],
  "in both API groups": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    http("GET /apis/events.k8s.io/v1/namespaces/$NS/events", 200, {
      items: including({ reason: "Scheduled", regarding: { kind: "Pod", name: "web" }, note: /^Successfully assigned/ }),
    }),
  ],
  "repeated ones are counted": [
    given(pod("crash", { name: "main", image: "busybox:1.35", command: ["false"] })),
    until("event?fieldSelector=reason%3DBackOff", {
      items: [{ type: "Warning", message: /^Back-off restarting failed container main in pod crash_/, involvedObject: { fieldPath: "spec.containers{main}" } }],
    }),
    until("event?fieldSelector=reason%3DStarted", { items: [{ count: (n: number) => n > 1, source: { component: "kubelet" } }] }),
  ],
});
