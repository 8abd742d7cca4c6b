import { defineOracle, judged, judgeEntry, symptomOf } from "@microremed/catalogue";

/** The entry answers our own requests with the status and the content that the load expects. Refuses: wrong answers, no answers. */
export default defineOracle({
  name: "answers",
  description: "the entry answers with what the load expects",
  cost: 90,
  async measure(round) {
    const { problems, measurements } = judgeEntry(await round.entry(), round.state.at);
    return judged("answers", problems, "users get what they ask for", measurements);
  },
  async symptom(round) {
    const entry = await round.entry();
    const { problems, measurements } = judgeEntry(entry, round.state.at);
    const signs = entry.answered === null ? [] : problems;
    return symptomOf("answers", signs, "users get what they ask for", measurements);
  },
});
