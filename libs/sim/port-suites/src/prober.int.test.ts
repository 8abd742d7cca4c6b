import { createSandboxedProber } from "@microremed/kubectl/sandboxed";
import { testProber } from "@microremed/kubectl/testing";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { overHttp } from "./testing/clusters-under-test.ts";

const { best: sandbox } = await sandboxesHere();

/** What a real shell and other clients than kubectl can do. */
const hiding = [
  // Bash runs a command in the subscript of a variable's text. No check of the text sees it.
  `x='a[$(kubectl exec deploy/cart -- touch /tmp/x >&2)]'; echo $((x))`,
  "eval 'kubectl exec deploy/cart -- touch /tmp/x'",
  "kubectl exec -i deploy/cart -- sh <<< 'touch /tmp/x'",
  "echo 'touch /tmp/x' | kubectl exec -i deploy/cart -- sh -s",
  "kubectl exec deploy/cart -- busybox touch /tmp/x",
  "KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false kubectl exec deploy/cart -- touch /tmp/x",
  "kubectl cp /etc/passwd $(kubectl get pods -l app=cart -o name | cut -d/ -f2):/tmp/x",
  "kubectl attach deploy/cart",
  "kubectl port-forward deploy/cart 8080:80",
  "kubectl get --raw /api/v1/namespaces/field/services/cart:80/proxy/",
  "kubectl get --raw /api/v1/namespaces/field/services/cart:80/%70roxy/",
  "kubectl create token default",
  `server=$(kubectl config view -o jsonpath='{.clusters[0].cluster.server}'); python3 - "$server" <<'END'
import sys, urllib.request
url = sys.argv[1] + "/apis/apps/v1/namespaces/field/deployments/cart"
urllib.request.urlopen(urllib.request.Request(url, method="DELETE"))
END`,
];

testProber("probes by kubectl", async () => ({
  ...(await overHttp()),
  hiding,
  prober: createSandboxedProber(sandbox),
}));
