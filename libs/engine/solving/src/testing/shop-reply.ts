import type { ProbeReply } from "@microremed/contracts";

/** What a small shop answers, by a word of the question, in the form of the real tools. */
const answers: readonly (readonly [RegExp, string])[] = [
  [
    /"kind":"metrics"/,
    `POD                        NAME      CPU(cores)   MEMORY(bytes)
cart-7c9d8f6b5-2xkqp       cart      480m         60Mi
cart-7c9d8f6b5-2xkqp       sidecar   1m           2Mi
db-0                       db        120m         300Mi
front-6b7f9c8d4-9wz5t      front     200m         110Mi`,
  ],
  [
    /get deployments.*resources/,
    "Deployment cart 500m 128Mi\nDeployment front 1 256Mi\nStatefulSet db 2 1Gi",
  ],
  [/get deployments/, "Deployment cart\nDeployment front\nStatefulSet db"],
  [
    /get replicasets/,
    "cart-5d4c7b9f8 cart 2026-01-01T00:00:02Z 1\ncart-7c9d8f6b5 cart 2026-01-01T00:10:00Z 2\nfront-6b7f9c8d4 front 2026-01-01T00:00:02Z 1",
  ],
];

/** The shop's answer to a question, as the fixture writes it. */
export function shopReply(what: string): ProbeReply {
  const [, output = `output of ${what}`] = answers.find(([word]) => word.test(what)) ?? [];
  return { status: "ok", exitCode: 0, output };
}
