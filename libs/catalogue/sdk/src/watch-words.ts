const opening = "You watch a system that is under load.";

/** The window of a watch after which the agent is asked; `seconds`: cluster time of one window. */
export interface AskedWindow {
  /** From 1. */
  readonly number: number;
  readonly seconds: number;
}

/** In front of the question of each window of a watch: how the watch goes, and nothing of what happens in it. */
export const watchWords = ({ number, seconds }: AskedWindow): string =>
  `${opening} Something may go wrong at any time, or never. Question ${number}: after each answer ${seconds} seconds pass in the cluster, and you are asked again, until you say that something is wrong or the watch is over.`;

/** Whether a text asks in a watch: what was observed for the question before is no longer the case. */
export const isWatchQuestion = (text: string): boolean => text.includes(opening);
