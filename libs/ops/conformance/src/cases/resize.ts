import { area } from "../area.ts";
import { box, pod } from "../manifests.ts";
import { including, type Shape } from "../match.ts";
import { given, http, is, ready, run, until } from "../steps/index.ts";

const amounts = (cpu: string, memory: string) => ({ requests: { cpu, memory }, limits: { cpu: "500m", memory: "128Mi" } });
const small = amounts("50m", "32Mi");
const web = (more: object = {}) => [given(pod("web", box({ resources: small, ...more }))), ready("web")];
const path = "/api/v1/namespaces/$NS/pods/web/resize";
const resize = (resources: object, status = 200, shape: Shape = {}, more: object = {}) =>
  http(`PATCH ${path}`, status, shape, {
    body: { spec: { containers: [{ name: "main", resources, ...more }] } },
    contentType: "application/strategic-merge-patch+json",
  });
const has = (status: Shape) => until("pod/web", { status: { containerStatuses: [status] } });
const noResize = (conditions: { type: string }[]): boolean => !conditions.some(({ type }) => type.startsWith("PodResize"));

export const resizing = area(
  "resizing pods",
  {
    "the subresource is listed": [run("get --raw /api/v1", /"name":"pods\/resize"/)],
    "the subresource is the pod": [...web(), http(`GET ${path}`, 200, { kind: "Pod", metadata: { name: "web" } })],
    "a limit changes without a restart": [
      ...web(),
      resize({ limits: { cpu: "700m" } }, 200, { spec: { containers: [{ resources: { limits: { cpu: "700m", memory: "128Mi" } } }] } }),
      has({ resources: { limits: { cpu: "700m" }, requests: { cpu: "50m" } }, restartCount: 0 }),
      until("pod/web", { status: { conditions: noResize } }),
      // Version 2 of control groups, and version 1.
      run("exec web -- sh -c 'cd /sys/fs/cgroup; cat cpu.max || cat cpu/cpu.cfs_quota_us'", /^70000( 100000)?$/m),
    ],
    "a request changes": [...web(), resize({ requests: { cpu: "60m" } }), has({ allocatedResources: { cpu: "60m" }, restartCount: 0 })],
    "memory with a restart where the container asks for it": [
      ...web({ resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }] }),
      resize({ limits: { memory: "256Mi" } }),
      has({ resources: { limits: { memory: "256Mi" } }, restartCount: 1, state: { running: {} } }),
    ],
    "more than the node has": [
      ...web(),
      resize({ requests: { cpu: "1000" }, limits: { cpu: "1000" } }),
      until("pod/web", {
        status: {
          conditions: including({ type: "PodResizePending", status: "True", reason: "Infeasible", message: /didn't have enough capacity: cpu, requested: 1000000, capacity: \d+/ }),
        },
      }),
      is("pod/web", { status: { containerStatuses: [{ restartCount: 0, ready: true }] } }),
    ],
    "what can't be can be taken back": [
      ...web(),
      resize({ requests: { cpu: "1000" }, limits: { cpu: "1000" } }),
      until("pod/web", { status: { conditions: including({ type: "PodResizePending" }) } }),
      resize({ requests: { cpu: "50m" }, limits: { cpu: "500m" } }),
      until("pod/web", { status: { conditions: noResize } }),
    ],
    "the class of service stays": [...web(), resize({ requests: { cpu: "500m", memory: "128Mi" } }, 422, { message: /Pod QOS Class may not change as a result of resizing/ })],
    "a limit can't be taken away": [...web(), resize({ limits: { cpu: null } }, 422, { message: /limits: Forbidden: resource limits cannot be removed/ })],
    "only CPU and memory": [
      ...web(),
      resize({ limits: { "ephemeral-storage": "1Gi" }, requests: { "ephemeral-storage": "1Gi" } }, 422, { message: /only cpu and memory resources are mutable/ }),
    ],
    "a request above its limit": [...web(), resize({ requests: { cpu: "2" } }, 422, { message: /must be less than or equal to cpu limit/ })],
    "nothing else changes": [...web(), resize({ limits: { cpu: "700m" } }, 200, { spec: { containers: [{ image: box()["image"] as string }] } }, { image: "nope:1" })],
    "not without the subresource": [
      ...web(),
      http(
        "PATCH /api/v1/namespaces/$NS/pods/web",
        422,
        { message: /pod updates may not change fields other than/ },
        {
          body: { spec: { containers: [{ name: "main", resources: { limits: { cpu: "700m" } } }] } },
          contentType: "application/strategic-merge-patch+json",
        },
      ),
    ],
  },
  "pod-resize",
);
