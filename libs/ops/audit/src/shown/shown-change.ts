/** One line of a change log, as an agent is shown it. */
export interface ShownChange {
  /** How long ago it was when the agent was asked, s. */
  readonly age: number;
  /** `deployment/cart` */
  readonly object: string;
  /** rollout, scale, config, created */
  readonly kind: string;
  /** Paths of the fields that it names, without the names of list items: `template.spec.containers[].image`. */
  readonly fields: readonly string[];
  /** Whether a value took the place of another one. */
  readonly isReplaced: boolean;
}

/** What agents are shown of one problem's changes. */
export interface ShownProblem {
  readonly environment: string;
  readonly isFaulty: boolean;
  /** What the incident has changed, as the log names it. */
  readonly wrong: readonly string[];
  /** The latest first. */
  readonly changes: readonly ShownChange[];
  /** Characters of the answer. */
  readonly size: number;
}

const line = /^(\d\d):(\d\d):(\d\d) (\S+) \((\w+)\): (.*)$/gm;
const daySeconds = 86_400;

/** The lines of an answer of `diff_since`. `now`: cluster time, ms. */
export function shownChanges(answer: string, now: number): ShownChange[] {
  const seconds = Math.floor(now / 1000) % daySeconds;
  return [...answer.matchAll(line)].map(([, h, m, s, object = "", kind = "", what = ""]) => ({
    age: (seconds - (Number(h) * 3600 + Number(m) * 60 + Number(s)) + daySeconds) % daySeconds,
    object,
    kind,
    fields: what
      .split("; ")
      .flatMap((part) => fieldOf(/^([\w.-]|\[[^\]]*\])+(?=: | is now |$)/.exec(part)?.[0])),
    isReplaced: what.split("; ").some((part) => /: (?!absent ->).* -> (?!absent$)| is now /.test(part)),
  }));
}

/** A path of a change log or of a ground truth, written alike. */
function fieldOf(path: string | undefined): string[] {
  return path?.includes(".")
    ? [path.replace(/^spec\.(?=template\.)/, "").replaceAll(/\[[^\]]*\]/g, "[]")]
    : [];
}

/** What the injection of a fault wrote, as a change log shows it, and what is wrong by its ground truth. */
export interface ShownFault {
  readonly fault: string;
  readonly changes: readonly ShownChange[];
  readonly truth: readonly string[];
}

/**
 * The fields that faults show in change logs although they are not what is wrong, and that nothing harmless shows: they
 * give away how faults are injected. `<fault>: <field>`.
 */
export function fieldsOfInjection(faults: readonly ShownFault[], harmless: readonly ShownChange[]): string[] {
  const usual = new Set(harmless.flatMap(({ kind, fields }) => fields.map((field) => `${kind} ${field}`)));
  return faults.flatMap(({ fault, changes, truth }) => {
    const own = truth.flatMap(fieldOf);
    const isOwn = (field: string): boolean =>
      own.some((one) => one.startsWith(field) || field.startsWith(one));
    const strange = changes.flatMap(({ kind, fields }) =>
      fields.filter((field) => !isOwn(field) && !usual.has(`${kind} ${field}`)),
    );
    return [...new Set(strange)].map((field) => `${fault}: ${field}`);
  });
}
