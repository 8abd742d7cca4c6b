import { defineAgent } from "@microremed/catalogue";

/** What accuracy is worth nothing: this share of the cases has something wrong. */
export default defineAgent({
  name: "AlwaysYes",
  description: "says that something is wrong, without reading anything: a baseline",
  tasks: ["detection"],
  tools: [],
  code: true,
  maxAttempts: () => 1,
  solve: ({ submit }) => submit({ anomaly: true }),
});
