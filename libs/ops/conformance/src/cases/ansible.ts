import { scripts } from "../area.ts";
import { ansible } from "../interpreters/ansible.ts";

const map = (data: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: "{{ ns }}"}, data: ${data}}`;
const web = (replicas: number): string => `
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: "{{ ns }}"}
        spec:
          replicas: ${replicas}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "registry.k8s.io/pause:3.10"}]}`;
const about = 'kind: Deployment, api_version: apps/v1, name: web, namespace: "{{ ns }}"';
/** What must hold in the end, as Jinja expressions. */
const judge = (...that: readonly string[]): string => `- {name: judge, assert: {that: ${JSON.stringify(that)}}}`;
const box = `
- name: pod
  kubernetes.core.k8s:
    wait: true
    wait_sleep: 1
    definition: {apiVersion: v1, kind: Pod, metadata: {name: box, namespace: "{{ ns }}"}, spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "busybox:1.35", command: [sh, -c, "echo hello; sleep 3600"]}]}}`;

export const ansibleCases = scripts("kubernetes.core", ansible, {
  "k8s present is idempotent, absent too": `
- {name: create, kubernetes.core.k8s: {definition: ${map("{a: '1'}")}}, register: first}
- {name: again, kubernetes.core.k8s: {definition: ${map("{a: '1'}")}}, register: again}
- {name: changed, kubernetes.core.k8s: {definition: ${map("{a: '2'}")}}, register: changed}
- {name: absent, kubernetes.core.k8s: {state: absent, kind: ConfigMap, name: one, namespace: "{{ ns }}"}, register: absent}
- {name: absent again, kubernetes.core.k8s: {state: absent, kind: ConfigMap, name: one, namespace: "{{ ns }}"}, register: nothing}
${judge("first.changed", "not again.changed", "changed.changed", "changed.result.data.a == '2'", "absent.changed", "not nothing.changed")}`,
  "k8s apply removes what is no longer applied": `
- {name: first, kubernetes.core.k8s: {apply: true, definition: ${map("{a: '1', b: '2'}")}}}
- {name: second, kubernetes.core.k8s: {apply: true, definition: ${map("{a: '1'}")}}, register: second}
${judge("second.result.data == {'a': '1'}")}`,
  "k8s applies on the server's side": `
- {name: apply, kubernetes.core.k8s: {apply: true, server_side_apply: {field_manager: ansible}, definition: ${map("{a: '1'}")}}, register: applied}
${judge("applied.changed", "applied.result.metadata.managedFields | selectattr('manager', 'equalto', 'ansible') | list | length == 1")}`,
  "k8s patches and waits": `
- name: deployment
  kubernetes.core.k8s:
    wait: true
    wait_sleep: 1
    definition:${web(1)}
- {name: patch, kubernetes.core.k8s: {state: patched, ${about}, definition: {spec: {replicas: 2}}, wait: true, wait_sleep: 1}, register: patched}
- {name: scale, kubernetes.core.k8s_scale: {${about}, replicas: 1, wait_sleep: 1}, register: scaled}
- {name: info, kubernetes.core.k8s_info: {${about}}, register: info}
${judge("patched.changed", "patched.result.spec.replicas == 2", "scaled.changed", "info.resources | length == 1", "info.resources[0].spec.replicas == 1")}`,
  "k8s in check mode changes nothing": `
- {name: check, kubernetes.core.k8s: {definition: ${map("{a: '1'}")}}, check_mode: true, register: check}
- {name: info, kubernetes.core.k8s_info: {kind: ConfigMap, name: one, namespace: "{{ ns }}"}, register: info}
${judge("check.changed", "info.resources == []")}`,
  "k8s_info selects by label and field": `
- name: create
  kubernetes.core.k8s:
    definition:
      - {apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: "{{ ns }}", labels: {a: "1"}}}
      - {apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: "{{ ns }}"}}
- {name: by label, kubernetes.core.k8s_info: {kind: ConfigMap, namespace: "{{ ns }}", label_selectors: [a=1]}, register: labelled}
- {name: by field, kubernetes.core.k8s_info: {kind: ConfigMap, namespace: "{{ ns }}", field_selectors: [metadata.name=two]}, register: field}
${judge("labelled.resources | map(attribute='metadata.name') | list == ['one']", "field.resources | map(attribute='metadata.name') | list == ['two']")}`,
  "k8s_exec, k8s_log and k8s_cp reach into a pod": `${box}
- {name: exec, kubernetes.core.k8s_exec: {namespace: "{{ ns }}", pod: box, command: "sh -c 'echo out; exit 3'"}, register: ran, failed_when: false}
- {name: log, kubernetes.core.k8s_log: {namespace: "{{ ns }}", name: box}, register: log}
- {name: to pod, kubernetes.core.k8s_cp: {namespace: "{{ ns }}", pod: box, remote_path: /tmp/in.txt, content: "copied"}}
- {name: read, kubernetes.core.k8s_exec: {namespace: "{{ ns }}", pod: box, command: cat /tmp/in.txt}, register: read}
${judge("ran.stdout == 'out\\n'", "ran.rc == 3", "log.log == 'hello' or log.log_lines[0] == 'hello'", "'copied' in read.stdout")}`,
  "k8s_json_patch changes one place": `
- {name: create, kubernetes.core.k8s: {definition: ${map("{a: '1'}")}}}
- {name: patch, kubernetes.core.k8s_json_patch: {kind: ConfigMap, name: one, namespace: "{{ ns }}", patch: [{op: replace, path: /data/a, value: "2"}]}, register: patched}
${judge("patched.changed", "patched.result.data.a == '2'")}`,
  "k8s_rollback goes one revision back": `
- name: first
  kubernetes.core.k8s:
    wait: true
    wait_sleep: 1
    definition:${web(1)}
- {name: second, kubernetes.core.k8s: {state: patched, ${about}, definition: {spec: {template: {metadata: {labels: {v: "2"}}}}}, wait: true, wait_sleep: 1}}
- {name: back, kubernetes.core.k8s_rollback: {${about}}, register: back}
- {name: info, kubernetes.core.k8s_info: {${about}}, register: info}
${judge("back.changed", "'v' not in info.resources[0].spec.template.metadata.labels")}`,
  "k8s_service makes a service": `
- {name: service, kubernetes.core.k8s_service: {name: web, namespace: "{{ ns }}", ports: [{port: 80}], selector: {app: web}}, register: made}
${judge("made.changed", "made.result.spec.type == 'ClusterIP'")}`,
  "k8s_drain cordons and k8s_taint taints a node": `
- {name: nodes, kubernetes.core.k8s_info: {kind: Node}, register: nodes}
- {name: pick, set_fact: {node: "{{ nodes.resources[-1].metadata.name }}"}}
- {name: cordon, kubernetes.core.k8s_drain: {state: cordon, name: "{{ node }}"}, register: cordoned}
- {name: cordoned node, kubernetes.core.k8s_info: {kind: Node, name: "{{ node }}"}, register: fenced}
- {name: uncordon, kubernetes.core.k8s_drain: {state: uncordon, name: "{{ node }}"}, register: uncordoned}
- {name: taint, kubernetes.core.k8s_taint: {state: present, name: "{{ node }}", taints: [{key: conformance, value: "1", effect: PreferNoSchedule}]}, register: tainted}
- {name: tainted node, kubernetes.core.k8s_info: {kind: Node, name: "{{ node }}"}, register: marked}
- {name: untaint, kubernetes.core.k8s_taint: {state: absent, name: "{{ node }}", taints: [{key: conformance, value: "1", effect: PreferNoSchedule}]}, register: untainted}
${judge("cordoned.changed", "fenced.resources[0].spec.unschedulable", "uncordoned.changed", "tainted.changed", "'conformance' in (marked.resources[0].spec.taints | map(attribute='key') | list)", "untainted.changed")}`,
  "k8s_cluster_info knows the server": `
- {name: info, kubernetes.core.k8s_cluster_info: {}, register: info}
${judge("info.version.server.kubernetes.major == '1'", "'v1' in info.apis")}`,
  "k8s says what the server refused": `
- {name: bad, kubernetes.core.k8s: {definition: {apiVersion: v1, kind: ConfigMap, metadata: {name: Not_A_Name, namespace: "{{ ns }}"}}}, register: bad, ignore_errors: true}
${judge("bad.failed", "'lowercase RFC 1123 subdomain' in (bad | string)")}`,
  "k8s_info of what is not there is empty": `
- {name: info, kubernetes.core.k8s_info: {kind: Pod, name: nope, namespace: "{{ ns }}"}, register: info}
${judge("info.resources == []")}`,
  "the k8s lookup reads an object": `
${judge("lookup('kubernetes.core.k8s', kind='ServiceAccount', namespace=ns, resource_name='default').metadata.name == 'default'")}`,
});
