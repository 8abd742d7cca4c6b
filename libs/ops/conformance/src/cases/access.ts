import { area } from "../area.ts";
import { box, container, deployment, manifest, nginx, pod, service, shell } from "../manifests.ts";
import { condition } from "../match.ts";
import { fails, given, is, ready, replicas, run, until } from "../steps/index.ts";
import { serves } from "../steps/serves.ts";

const listening = container({ image: nginx, ports: [{ name: "http", containerPort: 80 }] });
const web = [given(pod("web", listening)), ready("web")];
const forwarding = /^Forwarding from 127\.0\.0\.1:(\d+) -> 80$/m;
const page = { "/": { status: 200 } } as const;

export const portForward = area("port-forward", {
  "a pod's port": [...web, serves("port-forward pod/web :80", forwarding, page)],
  "a pod, named without its kind": [...web, serves("port-forward web :80", forwarding, page)],
  "several requests over one forward": [...web, serves("port-forward web :80", forwarding, { "/?a": { status: 200 }, "/?b": { status: 200 }, "/nowhere": { status: 404 } })],
  "a deployment's": [given(deployment("web", {}, listening)), replicas("deploy/web", 1), serves("port-forward deploy/web :80", forwarding, page)],
  "a service's, to the pod's own port": [
    ...web,
    given(service("web", { ports: [{ port: 8080, targetPort: "http" }] })),
    until("ep/web", { subsets: [{}] }),
    serves("port-forward svc/web :8080", forwarding, page),
  ],
  "a port of a service that it does not have": [...web, given(service("web")), fails("port-forward svc/web :99", /Service web does not have a service port 99/)],
  "a pod that does not exist": [fails("port-forward pod/missing :80", /pods "missing" not found/)],
  "a pod that does not run": [
    given(pod("stuck", listening, { nodeSelector: { nowhere: "else" } })),
    until("pod/stuck", condition("PodScheduled", "False")),
    fails("port-forward pod/stuck :80", /unable to forward port because pod is not running\. Current status=Pending/),
  ],
  "a port without a listener": [given(pod("box", box())), ready("box"), serves("port-forward box :80", forwarding, { "/": "none" })],
});

const own = "--kubeconfig own-$NS.yaml";

export const config = area("config", {
  "view hides secrets": [run("config view", [/^apiVersion: v1$/m, /(DATA\+OMITTED|REDACTED)/, /^current-context: \S+$/m])],
  "view --minify names the server": [run("config view --minify -o jsonpath={.clusters[0].cluster.server}", /^https:\/\/\S+$/)],
  "current-context": [run("config current-context", /^\S+\n$/)],
  "get-contexts": [run("config get-contexts", /^CURRENT +NAME +CLUSTER +AUTHINFO +NAMESPACE\n\* +\S+/)],
  "get-clusters": [run("config get-clusters", /^NAME\n\S+/)],
  "a file of one's own": [
    run(`config set-cluster c --server=https://127.0.0.1:1 ${own}`, /^Cluster "c" set\.\n$/),
    run(`config set-credentials u --token=t ${own}`, /^User "u" set\.\n$/),
    run(`config set-context x --cluster=c --user=u --namespace=$NS ${own}`, /^Context "x" created\.\n$/),
    run(`config use-context x ${own}`, /^Switched to context "x"\.\n$/),
    run(`config current-context ${own}`, /^x\n$/),
    fails(`get pods --request-timeout=5s ${own}`, /(refused|Unable to connect)/),
  ],
  "a context that does not exist": [fails("config use-context missing", /no context exists with the name: "missing"/)],
});

const serving = /^Starting to serve on 127\.0\.0\.1:(\d+)$/m;

export const proxy = area("proxy", {
  "the API without credentials": [
    given(pod("box", box())),
    serves("proxy --port=0", serving, {
      "/version": { status: 200, text: /"gitVersion"/ },
      "/api/v1/namespaces/$NS/pods/box": { status: 200, text: /"kind": ?"Pod"/ },
      "/api/v1/namespaces/$NS/pods/nobody": { status: 404, text: /"reason": ?"NotFound"/ },
    }),
  ],
  "under a prefix": [serves("proxy --port=0 --api-prefix=/k8s/", serving, { "/k8s/version": { status: 200, text: /"gitVersion"/ } })],
  "no way into containers": [given(pod("box", box())), ready("box"), serves("proxy --port=0", serving, { "/api/v1/namespaces/$NS/pods/box/exec?command=ls": { status: 403 } })],
  "services behind the API": [
    ...web,
    given(service("web")),
    until("ep/web", { subsets: [{}] }),
    serves("proxy --port=0", serving, {
      "/api/v1/namespaces/$NS/services/web:80/proxy/": { status: 200 },
      "/api/v1/namespaces/$NS/pods/web:80/proxy/": { status: 200 },
    }),
  ],
  "logs as they are": [
    given(pod("box", box(shell("echo hello; sleep 3600")))),
    ready("box"),
    serves("proxy --port=0", serving, { "/api/v1/namespaces/$NS/pods/box/log": { status: 200, text: /^hello\n$/ } }),
  ],
});

/** `openssl req -new -newkey ec -subj /O=conformance/CN=conformance-ann`, in base64. */
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1NBZ0VBTURBeEZEQVNCZ05WQkFvTUMyTnZibVp2Y20xaGJtTmxNUmd3RmdZRFZRUUREQTlqYjI1bQpiM0p0WVc1alpTMWhibTR3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJ1S2w0S2cxOWY0Z05qCkdSR0JGMGdOZ0dQWDZKcE04MVlxdXVBTmNUM3FaNUVHNDdaekFIcHdsWnF5K0JXS1FaRmxUTzBvQlFHaEw0K3kKK0JFdVVIaEZvQUF3Q2dZSUtvWkl6ajBFQXdJRFNRQXdSZ0loQU9takJmZ3JEWmgydW5XSTF2d0lXOE5aNHNQMApXNVNkbzZac2NnT1ovREkzQWlFQWdVeVNGSDBnV2ZmY1A4WE1scUpLZ2RuUzdVUkpMbFRncURkTVVtbzB2U0E9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const signing = (spec: object = {}) =>
  manifest("certificates.k8s.io/v1 CertificateSigningRequest", "$NS-ann", {
    spec: { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"], ...spec },
  });
const one = "csr/$NS-ann";

export const certificates = area("certificates", {
  "an approved request is signed": [
    given(signing()),
    run("certificate approve $NS-ann", /^certificatesigningrequest\.certificates\.k8s\.io\/\S+ approved\n$/),
    until(one, { status: { certificate: /^LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t/, conditions: [{ type: "Approved", status: "True", reason: "KubectlApprove" }] } }),
    run("get csr $NS-ann --no-headers", /Approved,Issued\n$/),
  ],
  "a denied one is not": [
    given(signing()),
    run("certificate deny $NS-ann", /denied\n$/),
    is(one, { status: { certificate: undefined, conditions: [{ type: "Denied", status: "True" }] } }),
    run("get csr $NS-ann --no-headers", /Denied\n$/),
  ],
  "nor one that is still pending": [given(signing()), run("get csr $NS-ann --no-headers", /Pending\n$/), is(one, { spec: { username: /./ }, status: { certificate: undefined } })],
  "usages that the signer does not sign": [
    given(signing({ usages: ["server auth"] })),
    run("certificate approve $NS-ann"),
    until(one, { status: { certificate: undefined, conditions: (all: unknown) => JSON.stringify(all).includes('"type":"Failed"') } }),
  ],
  "what is no request": [fails("create -f -", /spec\.request: Invalid value/, { input: signing({ request: "aGVsbG8=" }) })],
  "no usages": [fails("create -f -", /spec\.usages: Required value/, { input: signing({ usages: [] }) })],
});
