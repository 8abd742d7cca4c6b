import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const namespace = "/api/v1/namespaces/default";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
const own = "/var/run/secrets/kubernetes.io/serviceaccount";
const api = `https://kubernetes.default.svc${namespace}/configmaps`;
const asAccount = `--cacert ${own}/ca.crt -H "Authorization: Bearer $(cat ${own}/token)"`;

/** A cluster with a pod of the account `mover`, whose container runs the script. */
function clusterWith(script: string) {
  const cluster = createLocalCluster({ seed: 1, environments: [] });
  const headers = { "content-type": "application/json", authorization: `Bearer ${cluster.adminToken}` };
  const call = async (method: string, path: string, body?: object) => {
    const answer = await cluster.handle({
      method,
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(answer.body);
    return answer.body;
  };
  const start = async (): Promise<void> => {
    await call("POST", `${namespace}/serviceaccounts`, { metadata: { name: "mover" } });
    await call("POST", `${namespace}/configmaps`, { metadata: { name: "plan" }, data: { step: "1" } });
    await call("POST", `${namespace}/pods`, {
      metadata: { name: "mover" },
      spec: {
        serviceAccountName: "mover",
        restartPolicy: "Never",
        containers: [{ name: "main", image: "nicolaka/netshoot:v0.13", command: ["sh", "-c", script] }],
      },
    });
    await cluster.clock.sleep(20_000);
  };
  const allow = async (verbs: readonly string[]): Promise<void> => {
    await call("POST", `${roles}/roles`, {
      metadata: { name: "mover" },
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }],
    });
    await call("POST", `${roles}/rolebindings`, {
      metadata: { name: "mover" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "mover" },
      subjects: [{ kind: "ServiceAccount", name: "mover", namespace: "default" }],
    });
  };
  return {
    start,
    allow,
    sleep: (ms: number) => cluster.clock.sleep(ms),
    call,
    log: () => call("GET", `${namespace}/pods/mover/log`),
    step: async () => JSON.parse(await call("GET", `${namespace}/configmaps/plan`)).data.step,
    [Symbol.dispose]: () => cluster[Symbol.dispose](),
  };
}

const patch = `curl -s -o /dev/null -w '%{http_code}\n' -X PATCH ${asAccount} -H 'Content-Type: application/merge-patch+json' -d '{"data":{"step":"2"}}' ${api}/plan`;

test("a program in a pod asks the API server with its account's token, and may do what RBAC gives that account", async () => {
  using cluster = clusterWith(
    `while true; do curl -s ${asAccount} ${api} | jq -r '(.items[]? | .data.step // empty), .message // empty'; ${patch}; sleep 5; done`,
  );
  await cluster.start();
  const refused = await cluster.log();
  // Each of its rounds is run when it is due.
  expect(refused.split("is forbidden").length).toBeGreaterThan(3);
  expect(refused).toContain("system:serviceaccount:default:mover");
  expect(refused).toContain("\n403\n");
  expect(await cluster.step()).toBe("1");
  await cluster.allow(["list", "patch"]);
  await cluster.sleep(10_000);
  expect(await cluster.step()).toBe("2");
  expect(await cluster.log()).toContain("\n1\n200\n2\n200\n");
});

test("without the authority's certificate curl does not trust the API server, and a watch that nothing ends is given up", async () => {
  using cluster = clusterWith(
    `curl -s -S ${api}; echo "code $?"; curl -s -k -m 3 -H "Authorization: Bearer $(cat ${own}/token)" "${api}?watch=true" -o /dev/null; echo "code $?"; sleep 1`,
  );
  await cluster.allow(["watch"]);
  await cluster.start();
  const log = await cluster.log();
  expect(log).toContain("curl: (60) SSL certificate problem");
  expect(log).toContain("code 60\n");
  expect(log).toContain("code 28\n");
});
