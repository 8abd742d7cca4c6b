/** What the signers of the controller manager sign: which usages a request must name, and which it may. */
export interface Signer {
  readonly needs: readonly string[];
  readonly allows: readonly string[];
}

const keyUsages = ["digital signature", "key encipherment"];

export const signers: Readonly<Record<string, Signer>> = {
  "kubernetes.io/kube-apiserver-client": { needs: ["client auth"], allows: ["client auth", ...keyUsages] },
  "kubernetes.io/kube-apiserver-client-kubelet": {
    needs: ["client auth"],
    allows: ["client auth", ...keyUsages],
  },
  "kubernetes.io/kubelet-serving": { needs: ["server auth"], allows: ["server auth", ...keyUsages] },
};

/** Whether a signer signs for these usages. */
export function permits({ needs, allows }: Signer, usages: readonly string[]): boolean {
  return needs.every((usage) => usages.includes(usage)) && usages.every((usage) => allows.includes(usage));
}
