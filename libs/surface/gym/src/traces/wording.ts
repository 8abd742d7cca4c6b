import type { Rng } from "@microremed/core";

/** Moments of an investigation at which an expert says something beside its call. */
const phrases = {
  overview: [
    "I begin with an overview: {what}.",
    "First {what}.",
    "Before I form an opinion: {what}.",
    "Let me see the state of the system: {what}.",
    "To start with, {what}.",
    "What is the state of {namespace} now? {What}.",
    "I want the facts first, so {what}.",
    "{What}; that narrows it down.",
  ],
  suspect: [
    'One possibility is "{title}". I check it.',
    'Could this be "{title}"? Let me check.',
    '"{title}" would show the same. I check that first.',
    'A candidate: "{title}".',
    'Let me rule out "{title}".',
    'I suspect "{title}".',
    'Next hypothesis: "{title}".',
    'It may be "{title}"; the next call will show it.',
    'I know the signs of "{title}" and search for them.',
  ],
  dismiss: [
    'Nothing points to "{title}".',
    'That is not it: no sign of "{title}".',
    'I drop that hypothesis ("{title}").',
    'No, "{title}" would show otherwise.',
    'Wrong track; "{title}" would have shown here.',
    'So it is not "{title}".',
  ],
  deeper: [
    "That needs a closer check.",
    "I need one more detail.",
    "Now the next piece of evidence.",
    "Let me follow this further.",
    "This answer alone is not enough; one more call.",
    "I go one step further.",
  ],
  slip: ["Now {what}.", "Next, {what}.", "I also want this: {what}.", "Let me {what}."],
  mend: [
    "I mistyped that. Again, correctly.",
    "That call was wrong; I correct it.",
    "My mistake: the name was wrong. Once more.",
    "The error is mine, not the system's. I repeat the call as it should be.",
  ],
  hasty: [
    "A restart of {workload} may clear it. I try that.",
    "I restart {workload} and see whether that helps.",
    "Perhaps the pods of {workload} are only in a bad state: restart.",
    "The quick attempt first: a rollout restart of {workload}.",
  ],
  unhelped: [
    "The restart has not shown me the cause. I go on.",
    "I have no sign that this helped, so I search for the cause itself.",
    "A restart without a known cause is a guess. Back to the evidence.",
    "That was premature; the cause is still unknown to me.",
  ],
  undo: [
    "That was a guess, so I take it back first.",
    "I undo my change before I go on.",
    "My change had no reason; I revert it.",
  ],
  pause: [
    "Nothing shows right now. The trouble may come and go: I wait and ask again.",
    "No finding yet; I let some time pass.",
    "It may be intermittent. I wait a little.",
  ],
  conclude: [
    "{finding} {Act}.",
    "Found: {finding} {Act}.",
    "The evidence is clear. {finding} {Act}.",
    "This explains it: {finding} {Act}.",
    "{finding} So: {act}.",
    "Root cause: {finding} Repair: {act}.",
    "Now I know. {finding} {Act}.",
  ],
  settle: [
    "I give the change time to take effect.",
    "Let the system settle before I check.",
    "I wait until the rollout is through.",
    "Some time for the change, then I check.",
  ],
  check: [
    "Did it work? I check.",
    "I verify the repair.",
    "Now to confirm that the system is well again.",
    "I check the result before I finish.",
    "Trust, but verify: the state after the change.",
  ],
  again: [
    "It still shows. I repair again.",
    "The sign is still there; once more, with more force.",
    "Not gone yet. Second try.",
  ],
  failed: [
    "The attempt did not recover the system. I search again.",
    "That was not the cure. Back to the evidence.",
    "Not recovered. I need the real cause.",
  ],
  answer: [
    "{finding} That is my answer.",
    "Found: {finding} I hand in.",
    "The evidence is clear. {finding}",
    "This explains what I saw: {finding}",
    "{finding} Nothing else shows a sign, so I answer.",
    "My conclusion: {finding}",
  ],
  calm: [
    "Nothing of what I checked shows a fault. I leave the system as it is.",
    "No sign of anything wrong: the workloads are ready and the hypotheses are refuted.",
    "I found no cause, and no symptom either. Nothing is to be done.",
    "All that I checked is as it should be. I change nothing.",
    "The system is healthy as far as I can see.",
    "No fault here; doing nothing is the right answer.",
  ],
  finish: [
    "The system is in order again. I am done.",
    "Repaired; I hand in.",
    "Nothing is left to do.",
    "Done: {finding} It has been put right.",
    "The cause is removed and the system answers. I submit.",
    "Finished.",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What is said at one moment; the seed draws one of several ways. `{Name}` begins with a capital letter. */
export type Wording = (moment: keyof typeof phrases, values?: Readonly<Record<string, string>>) => string;

/** A way to speak that the stream decides. Some experts think aloud, some say little. */
export function createWording(rng: Rng): Wording {
  const isTerse = rng.int(5) === 0;
  return (moment, values = {}) => {
    const drawn = rng.pick<string>(phrases[moment]);
    // What was concluded is always said.
    if (isTerse && moment !== "conclude" && moment !== "answer" && rng.int(2) === 0) return "";
    return drawn.replaceAll(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
      const value = values[first.toLowerCase() + rest] ?? "";
      return first === first.toUpperCase() ? value.slice(0, 1).toUpperCase() + value.slice(1) : value;
    });
  };
}
