import type { ProbeReply } from "@microremed/contracts";

const moments = Array.from({ length: 12 }, (_, i) => Date.UTC(2026, 0, 1, 0, 10, 5 * i));

/** The cart needs much more from the third moment on. */
const row = (name: string) => ({
  name: "cpu",
  workload: name,
  values: moments.map((_, i) => (name === "cart" && i > 2 ? 0.9 : 0.1)),
});

/** What a small shop answers, by a word of the question, in the form of the real tools. */
const answers: readonly (readonly [RegExp, string])[] = [
  [/get deployments/, "Deployment cart\nDeployment front\nStatefulSet db"],
  [
    /"kind":"changes"/,
    JSON.stringify({
      from: Date.UTC(2026, 0, 1),
      changes: [
        {
          at: Date.UTC(2026, 0, 1, 0, 10),
          object: "deployment/cart",
          kind: "rollout",
          what: "template.image: 1 -> 2",
        },
      ],
      left: 0,
    }),
  ],
  [/"kind":"series"/, JSON.stringify({ at: moments, rows: ["cart", "db", "front"].map(row) })],
  [/"kind":"traces"/, JSON.stringify({ traces: [], left: 0 })],
];

/** The shop's answer to a question, as the fixture writes it. */
export function shopReply(what: string): ProbeReply {
  const [, output = `output of ${what}`] = answers.find(([word]) => word.test(what)) ?? [];
  return { status: "ok", exitCode: 0, output };
}
