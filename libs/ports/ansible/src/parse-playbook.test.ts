import { expect, test } from "vitest";
import { parsePlaybook } from "./parse-playbook.ts";

const reasonOf = (text: string): string => {
  const parsed = parsePlaybook(text);
  return parsed.ok ? "accepted" : parsed.reason;
};

test("accepts a playbook and gives its plays", () => {
  const parsed = parsePlaybook("---\n- name: fix\n  hosts: k3s_control_plane\n  become: yes\n  tasks: []\n");
  expect(parsed).toMatchObject({
    ok: true,
    plays: [{ name: "fix", hosts: "k3s_control_plane", become: true }],
  });
});

test("takes markdown fences off", () => {
  expect(parsePlaybook("```yaml\n- hosts: all\n```\nHope this helps!")).toMatchObject({
    ok: true,
    text: "- hosts: all",
  });
});

test("tolerates Ansible's own tags, merge keys and duplicate keys", () => {
  const text = `
- hosts: all
  vars:
    a: !vault |
      $ANSIBLE_VAULT;1.1;AES256
    b: !unsafe "{{ raw }}"
    c: !unsafe [1, 2]
    d: &base {x: 1}
    e: {<<: *base, y: 2}
  vars_files: []
  vars_files: []
`;
  expect(parsePlaybook(text).ok).toBe(true);
});

test("says where the YAML is broken", () => {
  expect(reasonOf("- hosts: all\n  tasks:\n   - name: a\n  - b: [")).toMatch(/not YAML: .*4:/s);
  expect(reasonOf("- hosts: all\n  vars: !python/object:os.system x")).toMatch(/not YAML: .*python/s);
});

test("says what is missing from something that is no playbook", () => {
  expect(reasonOf("")).toMatch(/empty/);
  expect(reasonOf("I cannot help with that.")).toMatch(/list of plays was expected.*a string/);
  expect(reasonOf("hosts: all")).toMatch(/list of plays was expected.*a mapping/);
  expect(reasonOf("[]")).toMatch(/empty/);
  expect(reasonOf("- 3")).toMatch(/play 1 is a number/);
  expect(reasonOf("- hosts: all\n- name: x\n  tasks: []")).toMatch(
    /play 2 has no "hosts" \(it has: name, tasks\)/,
  );
  expect(reasonOf("- hosts: a\n---\n- hosts: b")).toMatch(/not YAML/);
});

test("bounds size, depth and aliases", () => {
  expect(reasonOf(`- hosts: "${"x".repeat(300_000)}"`)).toMatch(/at most 262144/);
  expect(reasonOf(`- hosts: ${"[".repeat(200)}${"]".repeat(200)}`)).toMatch(/not YAML: .*depth/is);
  expect(reasonOf(`- hosts: &a [x]\n  vars: [${"*a, ".repeat(200)}]`)).toMatch(/not YAML: .*alias/is);
});
