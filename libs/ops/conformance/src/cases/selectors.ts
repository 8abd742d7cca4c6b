import { area } from "../area.ts";
import { pod, secret } from "../manifests.ts";
import { given, http, ready, run, until } from "../steps/index.ts";
import { labelled, maps, shop } from "./some-maps.ts";

const finds = (query: string, ...names: string[]) => http(`GET ${maps}?${query}`, 200, { items: names.map((name) => ({ metadata: { name } })) });
const own = "fieldSelector=metadata.name!=kube-root-ca.crt";

export const selectors = area("selectors", {
  equal: [...shop, finds("labelSelector=tier%3Dback", "b", "c")],
  "doubly equal": [...shop, finds("labelSelector=tier%3D%3Dfront", "a")],
  "not equal, absent included": [...shop, finds(`labelSelector=tier!%3Dback&${own}`, "a", "d")],
  in: [...shop, finds("labelSelector=env%20in%20(dev,prod)", "a", "b")],
  "not in": [...shop, finds("labelSelector=env%20notin%20(dev,prod),tier", "c")],
  exists: [...shop, finds("labelSelector=env", "a", "b", "c")],
  "does not exist": [...shop, finds(`labelSelector=!env&${own}`, "d")],
  "several at once": [...shop, finds("labelSelector=tier%3Dback,env%3Dprod", "b")],
  "greater than": [given(labelled("x", { n: "5" }), labelled("y", { n: "10" })), finds("labelSelector=n%3E7", "y")],
  "by kubectl": [...shop, run("get cm -l 'env in (dev,test),tier' -o name", "configmap/a\nconfigmap/c")],
  nonsense: [http(`GET ${maps}?labelSelector=a%20b%20c`, 400, { reason: "BadRequest", message: /unable to parse requirement|found .*, expected/ })],
  "fields: name": [...shop, finds("fieldSelector=metadata.name%3Da", "a")],
  "fields: pods by phase and node": [
    given(pod("web")),
    ready("web"),
    http("GET /api/v1/namespaces/$NS/pods?fieldSelector=status.phase%3DRunning,spec.nodeName!%3D", 200, { items: [{ metadata: { name: "web" } }] }),
    http("GET /api/v1/namespaces/$NS/pods?fieldSelector=status.phase%3DFailed", 200, { items: [] }),
  ],
  "fields: secrets by type": [given(secret("one")), http("GET /api/v1/namespaces/$NS/secrets?fieldSelector=type%3DOpaque", 200, { items: [{ metadata: { name: "one" } }] })],
  "fields: events by object": [given(pod("web")), until("event?fieldSelector=involvedObject.name%3Dweb,reason%3DScheduled", { items: [{ reason: "Scheduled" }] })],
  "fields: unknown": [
    http(`GET ${maps}?fieldSelector=data.x%3D1`, 400, { reason: "BadRequest", message: /"data\.x" is not a known field selector: only "metadata\.name", "metadata\.namespace"/ }),
  ],
});
