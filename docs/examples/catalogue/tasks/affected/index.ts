import { defineTask, z } from "@microremed/catalogue";

/** Which object's service suffers? Half a point for an answer of the right kind with the wrong name. */
export default defineTask({
  name: "affected",
  title: "Name an affected object",
  question: ({ environment, namespace }) =>
    `Name one Service or workload of the system ${environment} in namespace ${namespace} whose service suffers from what is wrong; kind and name are null if nothing is wrong. Change nothing.`,
  answer: z.object({
    kind: z.string().nullable().describe("Its kind, e.g. Deployment"),
    name: z.string().nullable().describe("Its name"),
  }),
  mayAct: false,
  grade: async ({ truth, answer }) => {
    const { affected } = truth;
    const sameKind = affected.filter(({ kind }) => kind === answer.kind);
    const isRight = sameKind.some(({ name }) => name === answer.name);
    const passed = affected.length === 0 ? answer.name === null : isRight;
    const score = passed ? 1 : sameKind.length > 0 ? 0.5 : 0;
    const right = affected.map(({ kind, name }) => `${kind} ${name}`).join(", ") || "nothing";
    const given = answer.name === null ? "nothing" : `${answer.kind} ${answer.name}`;
    return { passed, score, parts: {}, reason: `answered ${given}; affected: ${right}` };
  },
});
