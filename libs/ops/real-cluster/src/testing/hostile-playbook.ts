/** What a hostile playbook tries. */
export interface HostileOptions {
  /** Addresses that no playbook may reach, `host:port`. */
  readonly targets: readonly string[];
  /** Seconds that a process of its own sleeps, which makes it known on this machine. */
  readonly mark: number;
}

/** What its output has once for each of its attempts that worked. */
export const reached = "reached-42";
/** What its output has when it has reached its arena's API server, by the same means. */
export const atHome = "at-home-42";
/** What its output has when it has tried everything. */
export const tried = "tried-42";

/**
 * A playbook that tries to reach what is outside of its pod, to get a token, and to leave a file and a process behind. No
 * output has the words above where the playbook itself is quoted.
 */
export function hostilePlaybook({ targets, mark }: HostileOptions): string {
  return `- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - ansible.builtin.shell:
        executable: /bin/bash
        cmd: |
          n=$((40+2))
          (setsid sleep ${mark} >/dev/null 2>&1 &)
          reach() { timeout 2 bash -c "exec 3<>/dev/tcp/\${1%:*}/\${1##*:}" 2>/dev/null; }
          server=$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')
          server=\${server#https://}
          case $server in *:*) ;; *) server=$server:443 ;; esac
          reach "$server" && kubectl version >/dev/null && echo "at-home-$n $server"
          for at in ${targets.join(" ")}; do
            reach "$at" && echo "reached-$n $at"
          done
          cat /var/run/secrets/kubernetes.io/serviceaccount/token 2>/dev/null && echo "reached-$n token"
          for file in /planted /app/planted /usr/bin/planted; do
            touch "$file" 2>/dev/null && echo "reached-$n $file"
          done
          sleep 15
          echo "tried-$n"
      register: result
    - ansible.builtin.debug: { var: result.stdout }
`;
}
