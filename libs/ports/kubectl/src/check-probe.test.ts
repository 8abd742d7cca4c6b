import { expect, test } from "vitest";
import { checkProbe } from "./check-probe.ts";

test.each([
  "kubectl get pods -n online-boutique -o wide",
  "kubectl -n shop top pods --containers | sort -k3 -nr | head -5",
  "KUBECONFIG=/root/.kube/config /usr/bin/kubectl describe pod cart-0",
  "kubectl get pods -o jsonpath='{.items[*].metadata.name}' 2>&1 | tr ' ' '\\n' | grep -v '^$'",
  "kubectl logs deploy/cart --tail=50 2>/dev/null || echo none",
  'for p in $(kubectl get pods -o name); do echo "== $p"; kubectl describe "$p" | tail -5; done',
  "kubectl get pods -o name | xargs -I {} kubectl describe {}",
  "kubectl exec cart-0 -c server -- ping -c 3 redis",
  "kubectl exec -n shop cart-0 -- sh -c 'df -h / && dd if=/data/x of=/dev/null bs=1M count=10 2>&1'",
  'kubectl exec deploy/cart -- sh -c "cat /proc/loadavg > /dev/null; tc qdisc show"',
  "kubectl rollout status deployment/cart --timeout=5s",
  "kubectl get networkchaos,stresschaos -A # chaos?",
  "timeout 5 kubectl get events --sort-by=.lastTimestamp",
  "while true; do kubectl get pods; sleep 1; done",
  "X=$((1 + 2)); echo $X > /tmp/x",
  "kubectl exec cart-0 -- curl -s -o /dev/null -w '%{http_code}' http://frontend/",
  "kubectl exec cart-0 -- curl -sSI -m 2 http://frontend:80/healthz",
  "kubectl exec cart-0 -- wget -qO- -T 2 http://frontend/",
  "kubectl exec cart-0 -- nc -zv redis 6379",
  "kubectl exec cart-0 -- sh -c \"ps aux | awk '{print \\$1, \\$11}' | sort -k2\"",
  "kubectl get pods -o json | jq -r '.items[] | select(.status.phase != \"Running\") | .metadata.name'",
  "kubectl exec cart-0 -- ifconfig eth0",
  "kubectl exec cart-0 -- env",
])("lets a reading command through: %s", (command) => {
  expect(checkProbe(command)).toBeUndefined();
});

test.each([
  ["", /empty/],
  ["kubectl delete pod cart-0", /kubectl delete/],
  ["kubectl get pods; kubectl -n shop scale deploy cart --replicas=0", /kubectl scale/],
  ["echo $(kubectl rollout restart deploy/cart)", /history, status/],
  ['echo "now: `kubectl apply -f x`"', /kubectl apply/],
  ["kubectl get pods -o name | xargs kubectl delete", /kubectl delete/],
  ["ps aux", /"ps".*outside of a container/],
  ["rm -rf /", /"rm"/],
  ["curl http://10.0.0.1", /"curl"/],
  ["kubectl exec cart-0 -- kill 1", /"kill".*in a container/],
  ["kubectl exec cart-0 -- sh -c 'echo x > /etc/hosts'", /writing to \/etc\/hosts/],
  ["kubectl exec cart-0 -- sh -c 'ls; pkill stress-ng'", /"pkill"/],
  ["kubectl exec cart-0 -- dd if=/dev/zero of=/data/x", /dd .* would write/],
  ["kubectl exec cart-0 -- tc qdisc del dev eth0 root", /tc .* would write/],
  ["kubectl exec cart-0 ls", /POD -- COMMAND/],
  ["kubectl exec -it cart-0 -- bash", /-c and a script/],
  ["kubectl config set-context --current", /current-context/],
  ["echo 'oops", /balance/],
  ["bash -c 'kubectl patch deploy x'", /kubectl patch/],
  ["kubectl exec cart-0 -- curl -d 'x=1' http://frontend/cart", /curl .* would write/],
  ["kubectl exec cart-0 -- curl -XPOST http://frontend/cart", /curl .* would write/],
  ["kubectl exec cart-0 -- curl -so /etc/hosts http://frontend/", /curl .* would write/],
  ["kubectl exec cart-0 -- curl telnet://redis:6379", /curl .* would write/],
  ["kubectl exec cart-0 -- wget http://frontend/x", /wget .* would write/],
  ["kubectl exec cart-0 -- sh -c 'echo FLUSHALL | nc redis 6379'", /nc .* would write/],
  ["kubectl exec cart-0 -- env rm -rf /data", /"rm"/],
  ["kubectl exec cart-0 -- ifconfig eth0 down", /ifconfig .* would write/],
  ["kubectl exec cart-0 -- awk 'BEGIN{system(\"reboot\")}'", /awk .* would write/],
  ["kubectl exec cart-0 -- sort -o /etc/passwd /etc/passwd", /sort .* would write/],
])("refuses and says why: %s", (command, reason) => {
  expect(checkProbe(command)).toMatch(reason);
});
