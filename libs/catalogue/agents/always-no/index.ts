import { defineAgent } from "@microremed/catalogue";

/** What accuracy is worth nothing: this share of the cases has nothing wrong. */
export default defineAgent({
  name: "AlwaysNo",
  description: "says that nothing is wrong, without reading anything: a baseline",
  tasks: ["detection"],
  tools: [],
  code: true,
  maxAttempts: () => 1,
  solve: ({ submit }) => submit({ anomaly: false }),
});
