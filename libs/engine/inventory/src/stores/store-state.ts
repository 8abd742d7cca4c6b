/** What a server of a datastore has in force now, however it came to it. */
export interface StoreState {
  /** Setting -> value. */
  readonly settings: Readonly<Record<string, string>>;
  /** Account -> how it logs in: whether it may, and by what. */
  readonly logins: Readonly<Record<string, string>>;
  /** Account -> what it may do. */
  readonly rights: Readonly<Record<string, readonly string[]>>;
  readonly databases: readonly string[];
  /** Of the commands that this process has run; absent: it does not count them. */
  readonly calls?: StoreCalls;
}

/** Commands that a server has run since it began, or since its counters were reset. */
export interface StoreCalls {
  readonly all: number;
  /** Those that delete all that a database holds. */
  readonly emptied: number;
  /** Times that its counters were reset, as far as it says so. */
  readonly reset: number;
}

/** A server's answer: its state, or why it refused to say it, in one line. */
export type StoreAnswer = StoreState | { readonly refused: string };

/** A kind of datastore that is asked: by the client in its own container. */
export interface StoreKind {
  /** Where it listens if its container declares no port. */
  readonly usualPort: number;
  /** Settings that change by themselves, or are each replica's own. */
  readonly varies: RegExp;
  /** Settings that only say what is written down about the server. */
  readonly observes: RegExp;
  /** Settings of which more is more room for all clients; 0 of those that `unlimited` names is no limit. */
  readonly room: RegExp;
  readonly unlimited: RegExp;
  /** A write makes its database: a new one says nothing of who made it. Absent: databases are made on purpose. */
  readonly makesDatabases?: true;
  /** Settings that the arguments of a server's container give it, as its script prints them. Absent: none is read from there. */
  settingsIn?(args: readonly string[]): Readonly<Record<string, string>>;
  /** Names of the accounts that arguments of a server list or change; absent: arguments do neither. */
  accountsIn?(args: readonly string[]): readonly string[];
  /** Prints the server's state. `$PORT` is where it listens. */
  readonly script: string;
  /** A second script, by what the first has printed; undefined: there is nothing more to ask. */
  further?(printed: string): string | undefined;
  /** Reads what the scripts have printed; undefined: they did not reach the server, so nothing is known. */
  read(printed: string): StoreAnswer | undefined;
}

/** The lines behind `@<name>`, up to the next such line. */
export function sectionOf(printed: string, name: string): string[] {
  const lines = printed.split(/\r?\n/);
  const from = lines.indexOf(`@${name}`);
  if (from < 0) return [];
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^@[a-z]+$/.test(line));
  return to < 0 ? rest : rest.slice(0, to);
}
