import type { EntryKind } from "@microremed/catalogue";

/** Folders of a catalogue whose entries are code or YAML that this package reads -> what an entry there is. */
export const loadedKinds = {
  faults: "fault",
  noises: "noise",
  oracles: "oracle",
  tools: "tool",
  tasks: "task",
  agents: "agent",
  suites: "suite",
} as const satisfies Readonly<Record<string, EntryKind>>;

export type LoadedKind = keyof typeof loadedKinds;

/** Folders that a user's catalogue may have besides. */
export const otherFolders: readonly string[] = ["environments", "policies", "remedies"];
