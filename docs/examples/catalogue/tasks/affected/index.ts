import { defineTask, z } from "@microremed/catalogue";

/** Which object is at fault? Half a point for an answer of the right kind with the wrong name. */
export default defineTask({
  name: "affected",
  title: "Name the object at fault",
  question: ({ environment, namespace }) =>
    `Name the one object of the system ${environment} in namespace ${namespace} that has to be changed or removed to repair it. Change nothing.`,
  answer: z.strictObject({
    kind: z.string().describe("Its kind, e.g. Service"),
    name: z.string().describe("Its name"),
  }),
  mayAct: false,
  grade: async ({ truth, answer }) => {
    const sameKind = truth.objects.filter(({ kind }) => kind === answer.kind);
    const passed = sameKind.some(({ name }) => name === answer.name);
    const score = passed ? 1 : sameKind.length > 0 ? 0.5 : 0;
    const right = truth.objects.map(({ kind, name }) => `${kind} ${name}`).join(", ") || "none";
    return { passed, score, parts: {}, reason: `answered ${answer.kind} ${answer.name}; at fault: ${right}` };
  },
});
