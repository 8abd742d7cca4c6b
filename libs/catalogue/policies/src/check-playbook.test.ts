import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import { expect, test } from "vitest";
import { createPolicyRegistry } from "./policy-registry.ts";

const policies = createPolicyRegistry();

/** What a policy says of a text, one line per violation. */
async function findings(text: string, policy = "guarded"): Promise<string[]> {
  const parsed = parsePlaybook(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const context = { policy: policies.get(policy), namespace: "shop" };
  return (await checkPlaybook(parsed.plays, context)).map(
    ({ rule, place, message }) => `${rule}: ${place}: ${message}`,
  );
}

const play = (task: string, keywords = ""): string =>
  `- hosts: k3s_control_plane\n${keywords.replace(/^(?=.)/gm, "  ")}\n  tasks:\n    - ${task}\n`;

/** As models write them for MicroRemed. */
const usual = `---
- name: Repair the cart service
  hosts: k3s_control_plane
  become: yes
  gather_facts: no
  environment: {KUBECONFIG: /etc/rancher/k3s/k3s.yaml}
  vars:
    namespace: shop
    ansible_connection: local
    ansible_python_interpreter: /usr/bin/python3
  tasks:
    - name: Make sure that the client is there
      pip: {name: kubernetes, state: present}
      ignore_errors: true
    - block:
        - name: Delete chaos
          shell: |
            kubectl get podchaos -A -o name
            for c in $(kubectl get podchaos -n shop -o name); do
              kubectl delete "$c" -n {{ namespace }} --ignore-not-found 2>&1 > /dev/null
            done
          register: removed
          changed_when: "'deleted' in removed.stdout"
        - kubernetes.core.k8s:
            kubeconfig: /etc/rancher/k3s/k3s.yaml
            state: present
            definition:
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: cart, namespace: shop}
        - k8s_info: {kind: Pod, namespace: "{{ namespace }}", kubeconfig: "{{ lookup('env', 'KUBECONFIG') }}"}
          register: pods
          until: pods.resources | length > 0 and pods.resources[0].status.phase == 'Running'
          retries: 10
      rescue:
        - debug: {msg: "{{ pods.resources | map(attribute='metadata.name') | list }}"}
      delegate_to: localhost
    - copy: {content: "{{ pods | to_nice_json }}", dest: /tmp/pods.json, mode: "0644"}
    - command: kubectl -n shop rollout undo deployment/cart
      loop: "{{ query('items', ['a']) }}"
    - shell: kubectl -n shop exec cart-0 -- sh -c 'rm -rf /data/tmp; echo ok > /data/x'
    - local_action: shell kubectl --namespace=shop scale deploy/cart --replicas=1
    - wait_for: {timeout: 5}
    - shell: kubectl -n kube-system patch configmap/coredns --type=merge -p '{}'
    - k8s: {kind: ConfigMap, name: coredns, namespace: kube-system, definition: {data: {Corefile: x}}}
    - k8s: {definition: {kind: ConfigMap, metadata: {name: coredns, namespace: kube-system}, data: {Corefile: x}}}
`;

test("lets pass what playbooks for MicroRemed are made of", async () => {
  expect(await findings(usual)).toEqual([]);
});

test.each([
  ["modules", "add_host: {name: other}"],
  ["modules", "ansible.builtin.cron: {name: x, job: y}"],
  ["modules", "community.docker.docker_container: {name: x}"],
  ["modules", "action: user name=x"],
  ["modules", "include_vars: /etc/passwd"],
  ["modules", "ansible.legacy.script: /tmp/x.sh"],
  ["lookups", `debug: {msg: "{{ lookup('file', '/etc/passwd') }}"}`],
  ["lookups", `debug: {msg: "{{ lookup('ansible.builtin.pipe', 'id') }}"}`],
  ["lookups", `debug: {msg: "{{ query( 'env', 'NATS_PASSWORD') }}"}`],
  ["lookups", `debug: {msg: "{{ lookup('env', 'KUBECONFIG', 'NATS_PASSWORD') }}"}`],
  ["lookups", `debug: {msg: "{{ q('url', 'http://169.254.169.254/') }}"}`],
  ["lookups", `debug: {msg: "{{ lookup('fi' ~ 'le', '/etc/passwd') }}"}`],
  ["lookups", `debug: {msg: "{% set l = lookup %}{{ l('file', '/etc/passwd') }}"}`],
  ["lookups", `debug: {msg: x}\n      when: lookup('file', '/etc/passwd') is defined`],
  ["lookups", `assert: {that: ["'root' in lookup('file', '/etc/passwd')"]}`],
  ["lookups", "debug: {msg: x}\n      with_file: [/etc/passwd]"],
  ["lookups", "debug: {msg: x}\n      with_community.general.filetree: [/etc]"],
  ["lookups", `debug: {msg: "{{ '/etc/*' | fileglob }}"}`],
  ["lookups", `debug: {msg: "{{ '$NATS_PASSWORD' | expandvars }}"}`],
  ["lookups", `debug: {msg: x}\n      when: "'/etc/shadow' is file"`],
  ["lookups", `debug: {msg: "{% include '/etc/passwd' %}"}`],
  ["lookups", `debug: {msg: "{{ ''.__class__.__mro__ }}"}`],
  ["connections", "shell: id\n      delegate_to: 10.0.0.1"],
  ["connections", "shell: id\n      connection: ssh"],
  ["connections", "shell: id\n      vars: {ansible_host: 10.0.0.1}"],
  ["connections", "set_fact: {ansible_become_exe: /tmp/x}"],
  ["connections", "k8s_info: {kind: Pod, host: 'https://10.0.0.1', api_key: x}"],
  ["connections", "k8s_info: {kind: Pod, kubeconfig: /home/other/.kube/config}"],
  ["files", "copy: {content: x, dest: /etc/cron.d/x}"],
  ["files", "copy: content=x dest=/etc/cron.d/x"],
  ["files", "file: {path: /tmp/../etc/x, state: touch}"],
  ["files", "shell: echo x > /etc/passwd"],
  ["files", "template: {src: /etc/passwd, dest: /tmp/x}"],
  ["escalation", "shell: sudo kubectl get pods"],
  ["escalation", "command: {argv: [nsenter, -t, '1', -m]}"],
  ["escalation", "copy: {content: x, dest: /tmp/x, mode: '4755'}"],
  ["escalation", "copy: {content: x, dest: /tmp/x, mode: u+s}"],
  ["namespaces", "k8s: {state: absent, kind: Pod, name: x, namespace: kube-system}"],
  ["namespaces", "k8s: {kind: ConfigMap, name: kube-proxy, namespace: kube-system}"],
  ["namespaces", "shell: kubectl -n kube-system patch configmap coredns kube-proxy -p {}"],
  ["namespaces", "shell: kubectl -n kube-system delete configmap coredns"],
  ["namespaces", "k8s: {definition: {kind: Pod, metadata: {name: x, namespace: other}}}"],
  ["namespaces", `k8s: {definition: "kind: Pod\\nmetadata: {name: x, namespace: other}"}`],
  ["namespaces", "k8s: {kind: Namespace, name: shop, state: absent}"],
  ["namespaces", "shell: kubectl delete pod x -n kube-system"],
  ["namespaces", "shell: kubectl delete pods --all -A"],
  ["namespaces", "shell: 'true && kubectl --namespace=other scale deploy/x --replicas=0'"],
  ["namespaces", "shell: kubectl delete ns/shop"],
  ["namespaces", "shell: kubectl drain node-1"],
  ["namespaces", "shell: kubectl -nother delete pod x"],
  ["namespaces", "shell: kubectl delete --dry-run ns/shop"],
  ["namespaces", "shell: kubectl exec web -it -n other -- ls"],
  ["namespaces", "shell: 'if true; then kubectl delete pv x; fi'"],
  ["files", "shell: '{ date; } >> /etc/motd'"],
])("%s: %s", async (rule, task) => {
  expect(await findings(play(task))).toEqual([
    expect.stringMatching(new RegExp(`^${rule}: play 1, task 1: .`)),
  ]);
  expect(await findings(play(task), "open")).toEqual([]);
});

test("looks into blocks, handlers, other plays and what plays themselves say", async () => {
  const text = `
- hosts: all
  connection: ssh
  vars: {key: "{{ lookup('file', '/etc/passwd') }}"}
  roles: [evil]
  tasks:
    - name: outer
      block:
        - block: [{name: inner, user: {name: x}}]
      rescue: [{reboot: }]
  handlers: [{mount: {}}]
- import_playbook: /etc/x.yml
`;
  expect(await findings(text)).toEqual([
    "modules: play 1: the module ansible.builtin.import_role is not among those allowed",
    expect.stringMatching(/^lookups: play 1: the lookup lookup\('file', '\/etc\/passwd'\)/),
    expect.stringMatching(/^connections: play 1: connection: "ssh"/),
    expect.stringMatching(
      /^modules: play 1, task 1 "outer", task 1, task 1 "inner": the module ansible.builtin.user/,
    ),
    expect.stringMatching(/^modules: play 1, task 1 "outer", rescue task 1: .*reboot/),
    expect.stringMatching(/^modules: play 1, handler task 1: .*mount/),
    expect.stringMatching(/^modules: play 2: .*import_playbook/),
  ]);
});

test("readonly allows reading and refuses every change", async () => {
  const reading = play("shell: kubectl get pods -n shop | grep cart");
  expect(await findings(reading, "readonly")).toEqual([]);
  expect(await findings(play("k8s_info: {kind: Pod, namespace: shop}"), "readonly")).toEqual([]);
  expect(await findings(play("shell: kubectl delete pod x"), "readonly")).toEqual([
    expect.stringMatching(/^changes:/),
  ]);
  expect(await findings(play("k8s: {kind: Pod, name: x, state: absent}"), "readonly")).toEqual([
    expect.stringMatching(/^modules:/),
  ]);
});

test("is not slowed down by anchors that multiply", async () => {
  const levels = Array.from(
    { length: 9 },
    (_, i) => `    l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(",")}]`,
  );
  const bomb = `- hosts: all\n  vars:\n    l0: &l0 [x]\n${levels.join("\n")}\n  tasks: [{debug: {msg: "{{ l9 }}"}}]\n`;
  expect(await findings(bomb)).toEqual([]);
});
