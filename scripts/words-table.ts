/** A word that goes from docs, help, messages, comments and identifiers, and what to write in its place. */
export interface Word {
  /** Found in any case, in prose and as a part of an identifier (`lookEvery` is read as `look Every`). */
  readonly word: RegExp;
  readonly instead: string;
  /** Uses that stay, taken out of a line before it is read. */
  readonly except?: readonly RegExp[];
  /** Files in which the word is a term. */
  readonly allowedIn?: RegExp;
}

/** The words, with docs/glossary.md saying the same to people. */
export const words: readonly Word[] = [
  {
    word: /\blook(s|ed|ing)?\b(?! (up|like|for|ups)\b)/,
    instead: "check, probe, reading, read, observe",
    except: [/look-?(up|behind|ahead)s?/gi, /"(I )?look[^"]*"/gi, /'[^']*look\.[^']*'/gi, /role=look/g],
  },
  {
    word: /\b(tell|tells|told|telling)\b/,
    instead: "report, show, state, give, distinguish",
    except: [/\[Tell\]|"Tell:/g],
  },
  { word: /\b(bury|buries|buried)\b/, instead: "dead-letter" },
  { word: /\bwakers?\b/, instead: "timer, or the name of what waits" },
  { word: /\boutwait(s|ed|ing)?\b/, instead: "wait until" },
  { word: /\bhurr(y|ies|ied)\b/, instead: "run at full speed, skip the wait" },
  { word: /\bpatience\b/, instead: "timeout, limit" },
  { word: /\b(im)?patient(s|ly)?\b/, instead: "target, context, tolerant, for how long" },
  { word: /\b(saboteurs?|sabotages?)\b/, instead: "attack" },
  { word: /\bghosts?\b/, instead: "name the thing: a lost message, a deleted pod" },
  { word: /\baloof\b/, instead: "apart, does not use" },
  { word: /\bparticulars\b/, instead: "details" },
  { word: /\bglanc(e|es|ed|ing)\b/, instead: "check, probe, reading, read" },
  { word: /\banew\b/, instead: "again" },
  { word: /\bwhoever\b/, instead: "the caller, the sender, a process that" },
  { word: /\bwhom\b/, instead: "name the subject", except: [/specify whom to kill/g] },
  {
    word: /\b(nobody|somebody|everybody)\b/,
    instead: "name the subject: no service, a client, every user",
    except: [
      /adr\/0011-everybody[\w-]*/g,
      /(--limit|deployment|rpc\.) ?nobody/g,
      /["'`]([^"'` ]*\b)?(nobody|somebody)\b[^"'` ]*["'`]/g,
      /user `?nobody`?|nobody:[x*]|nobody\.\d+/g,
    ],
  },
  { word: /\bfor want of\b/, instead: "without, because ... is missing" },
  { word: /\bso long as\b/, instead: "while, as long as" },
  { word: /\bin vain\b/, instead: "without success, in time" },
  { word: /\bdear\b/, instead: "expensive" },
  { word: /\b(is|are|was|were) content\b/, instead: "is satisfied, is done" },
  { word: /\bshuts?\b(?! ?down\b)/, instead: "close, exclude, quarantine", except: [/shutdown/gi] },
  { word: /\blies\b/, instead: "is, is stored" },
  {
    word: /\bstands? (for|still|behind|beside|above|in|at)\b/,
    instead: "means, is replaced by, is, does not advance",
  },
  { word: /\bconnections? stands?\b/, instead: "is connected" },
  { word: /\bMicro ?Remed's (own )?(rules|verdict|estimate)\b/, instead: "the published rules" },
  { word: /\bchaos (tests?|runs?|trials?)\b|\brun chaos\b/, instead: "disruption test" },
  {
    word: /\bworlds?\b/,
    instead: "cluster, environment, state",
    except: [/hello world/gi, /real[- ]world/gi],
    // The embedded cluster's own object, in its packages and in tests that create one.
    allowedIn: /^libs\/sim\/|^libs\/engine\/arena\/package\.json$|^scripts\/bench|\.test\.ts$|\/testing\//,
  },
];
