import { defineAgent } from "@microremed/catalogue";

const answers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  detection: { anomaly: false },
  localization: { objects: [] },
  analysis: { causes: [] },
};

/** What accuracy is worth nothing: this share of the cases has nothing wrong. */
export default defineAgent({
  name: "AlwaysNo",
  description: "says that nothing is wrong, without reading anything: a baseline",
  tasks: ["detection", "localization", "analysis"],
  tools: [],
  code: true,
  maxAttempts: () => 1,
  solve: ({ task, submit }) => submit(answers[task.name] ?? {}),
});
