const day = 24 * 3600;

/** How long what is over stays, seconds. What is not over never expires. */
export const retention = {
  /** An experiment and its episodes, from their end. */
  finishedSeconds: 30 * day,
  /** An experiment in the list of experiments, from its submission. */
  listedSeconds: 90 * day,
  /** A conversation, from its last message. */
  conversationSeconds: 30 * day,
  /** A stage's result, from when it was stored: as long as its command can be delivered again. */
  resultSeconds: 8 * day,
  /** The count of a model's calls, from the last one. */
  modelCallsSeconds: 3600,
  /** What was read of a queue, from then. */
  queueReadingSeconds: 3600,
} as const;
