/** The full name under which Ansible finds a module: short, legacy and moved names have one too. */
export function moduleName(written: string): string {
  const moved = written.replace(
    /^(?:community\.kubernetes|community\.general)\.(?=k8s|helm)/,
    "kubernetes.core.",
  );
  if (moved.startsWith("ansible.legacy.")) return moved.replace("ansible.legacy.", "ansible.builtin.");
  if (moved.includes(".")) return moved;
  return /^(?:k8s|helm)/.test(moved) ? `kubernetes.core.${moved}` : `ansible.builtin.${moved}`;
}
