import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The scripts of `scripts/`. */
export type Script =
  | "abandon-lease"
  | "append-conversation"
  | "blame-cluster"
  | "cancel-experiment"
  | "charge-token"
  | "claim-outbox"
  | "close-session"
  | "create-episodes"
  | "delete-outbox"
  | "fail-call"
  | "finish-experiment"
  | "give-back"
  | "lease-next"
  | "leave-seat"
  | "open-session"
  | "pass-circuit"
  | "readmit-arena"
  | "reclaim-arena"
  | "register-arenas"
  | "release-claim"
  | "renew-claim"
  | "reserve-call"
  | "settle-call"
  | "start-experiment"
  | "store-result"
  | "take-claim"
  | "take-seat"
  | "transition"
  | "update-seat"
  | "use-session"
  | "use-token";

const sending: readonly Script[] = ["claim-outbox", "finish-experiment", "start-experiment", "transition"];
const queueing: readonly Script[] = [
  "abandon-lease",
  "create-episodes",
  "finish-experiment",
  "give-back",
  "lease-next",
  "start-experiment",
  "transition",
];
const choosing: readonly Script[] = ["give-back", "lease-next"];

interface LoadedScript {
  readonly text: string;
  readonly sha: string;
}

/** Reads each script once, with what it shares with others before it. */
export function createScripts(): { load(script: Script): LoadedScript } {
  const loaded = new Map<Script, LoadedScript>();
  const read = (name: string): string =>
    readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), "utf8");
  return {
    load: (script) => {
      const known = loaded.get(script);
      if (known) return known;
      const shared = [
        ...(sending.includes(script) ? ["outbox"] : []),
        ...(queueing.includes(script) ? ["lanes", "lines"] : []),
        ...(choosing.includes(script) ? ["leasing"] : []),
      ];
      const text = [...shared, script].map(read).join("");
      const found = { text, sha: createHash("sha1").update(text).digest("hex") };
      loaded.set(script, found);
      return found;
    },
  };
}
