import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interpreter } from "../case.types.ts";

/** All cases are blocks of one play; a block that fails notes why, and the next one goes on. */
function playbook(jobs: Parameters<Interpreter>[1], report: string): string {
  const blocks = jobs.map(
    ({ script, namespace }, index) => `
    - vars: {ns: "${namespace}"}
      block:
${script.trim().replaceAll("$NS", namespace).replace(/^/gm, "        ")}
      rescue:
        - set_fact: {failures: "{{ failures | combine({'${index}': (ansible_failed_task.name ~ ': ' ~ (ansible_failed_result.msg | default(ansible_failed_result) | string))}) }}"}`,
  );
  return `- hosts: localhost
  connection: local
  gather_facts: false
  vars: {ansible_python_interpreter: /usr/bin/python3}
  tasks:
    - set_fact: {failures: {}}
${blocks.join("\n")}
    - copy: {content: "{{ failures | to_json }}", dest: "${report}"}
`;
}

/** Ansible tasks with kubernetes.core, in YAML; `ns` is the case's namespace. */
export const ansible: Interpreter = async (target, jobs, signal) => {
  const [file, report] = [join(target.dir, "conformance.yml"), join(target.dir, "conformance.json")];
  await writeFile(file, playbook(jobs, report));
  const ran = await target.run("ansible-playbook", ["-i", "localhost,", file], { signal });
  if (ran.exit !== 0) throw new Error(`ansible-playbook: exit code ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  const failures: Readonly<Record<string, string>> = JSON.parse(await readFile(report, "utf8"));
  return jobs.map((_job, index) => failures[index]);
};
