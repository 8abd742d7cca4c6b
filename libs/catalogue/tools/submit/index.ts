import { defineTool, lastJsonObject } from "@microremed/catalogue";

/** The answer to a task, which its grader gets. */
export default defineTool({
  name: "submit",
  kind: "submit",
  rights: "none",
  description: "Hand in your answer to the question. There is one; it ends the task.",
  handsIn: {
    noun: "answer",
    usage: "submit with your answer as its arguments",
    inText: { form: "an answer in JSON", read: lastJsonObject },
  },
});
