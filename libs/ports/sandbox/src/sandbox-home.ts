/** Home inside a sandbox. Playbooks written for a remote root find `~/.kube/config` and `/root/.kube/config` alike. */
export const sandboxHome = "/root";
