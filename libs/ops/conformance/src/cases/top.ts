import { area } from "../area.ts";
import { client, fails, needs, run, until } from "../steps/index.ts";
import { inBox } from "./some-pods.ts";

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
