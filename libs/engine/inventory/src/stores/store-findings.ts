import type { Change, DamageClass } from "@microremed/contracts";
import { digestOfValue } from "../digest.ts";
import type { StoreAnswer, StoreKind, StoreState } from "./store-state.ts";

/** What a server has in force that it had not, or the other way round. */
export interface StoreFinding {
  readonly class: DamageClass;
  readonly detail: string;
  /** A digest of what it has in force in their place: half a repair is found again, and is another finding. */
  readonly now: string;
}

const storeMark = "its server ";

/** Whether a change is of what a datastore's server has in force: no object has that. */
export const isOfStore = ({ detail }: Pick<Change, "detail">): boolean => detail.startsWith(storeMark);

/** Of the names in one finding; the rest are counted. */
const mostNames = 5;

const named = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(", ")
    : `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more`;

const said = (is: DamageClass, what: string): StoreFinding => ({
  class: is,
  detail: `${storeMark}${what}`,
  now: "",
});

/** `valueNow`: what a name has now. */
const finding = (
  is: DamageClass,
  what: string,
  names: readonly string[],
  valueNow: (name: string) => unknown = () => null,
): StoreFinding[] =>
  names.length === 0
    ? []
    : [
        {
          class: is,
          detail: `${storeMark}${what} ${named(names)}`,
          now: digestOfValue(names.map((name) => [name, valueNow(name) ?? null])),
        },
      ];

/**
 * Compares a server with what was in force before. Values are left out of what is said: they may be secrets.
 * `hadFault`: the fault was in what this server has in force, so that a repair may have made it in another way.
 */
export function storeFindings(
  kind: StoreKind,
  before: StoreState,
  now: StoreAnswer,
  hadFault = false,
): StoreFinding[] {
  if ("refused" in now) return [said("breaks", `refuses its own client: ${now.refused}`)];
  return [
    ...ofSettings(kind, before, now),
    ...ofAccounts(before, now, hadFault),
    ...ofDatabases(kind, before, now),
    ...ofCalls(before, now),
  ];
}

function ofSettings(kind: StoreKind, before: StoreState, now: StoreState): StoreFinding[] {
  const others = Object.keys(before.settings).filter(
    (name) => before.settings[name] !== now.settings[name] && !kind.varies.test(name),
  );
  const classOf = (name: string): DamageClass => {
    if (kind.observes.test(name)) return "changed";
    const room = (state: StoreState): number => roomOf(kind, name, state.settings[name]);
    return kind.room.test(name) && room(now) > room(before) ? "changed" : "breaks";
  };
  const grouped = Map.groupBy(others, classOf);
  return [...grouped].flatMap(([is, names]) =>
    finding(is, "has other settings:", names, (name) => now.settings[name]),
  );
}

/** How much room a setting gives; NaN, which is never more, where it is no number. */
function roomOf({ unlimited }: StoreKind, name: string, value: string | undefined): number {
  const room = value === undefined || value === "" ? Number.NaN : Number(value);
  return room === 0 && unlimited.test(name) ? Number.POSITIVE_INFINITY : room;
}

function ofAccounts(before: StoreState, now: StoreState, hadFault: boolean): StoreFinding[] {
  const known = Object.keys(before.logins);
  const added = Object.keys(now.logins).filter((name) => before.logins[name] === undefined);
  const gone = known.filter((name) => now.logins[name] === undefined);
  const kept = known.filter((name) => !gone.includes(name));
  const otherwise = kept.filter((name) => before.logins[name] !== now.logins[name]);
  const rights = (state: StoreState, name: string): readonly string[] => state.rights[name] ?? [];
  const exceeds = (one: StoreState, other: StoreState, name: string): boolean =>
    rights(one, name).some((right) => !covers(rights(other, name), right));
  const lost = kept.filter((name) => exceeds(before, now, name));
  const gained = kept.filter((name) => exceeds(now, before, name));
  // Whether it lets in who it must is measured.
  const is = hadFault ? "allowed" : "breaks";
  return [
    ...finding(is, "has no account", gone),
    ...finding(is, "lets in otherwise", otherwise, (name) => now.logins[name]),
    ...finding(is, "gives fewer rights to", lost, (name) => now.rights[name]),
    ...finding("privilege", "gives more rights to", gained, (name) => now.rights[name]),
    ...finding("privilege", "has a new account", added),
  ];
}

/** Whether rights hold another one: `ALL PRIVILEGES` holds all, and `*.*` every database. */
function covers(rights: readonly string[], right: string): boolean {
  const [what = "", on = ""] = right.split(" ON ");
  return rights.some((one) => {
    const [has = "", where = ""] = one.split(" ON ");
    return (has === what || has === "ALL PRIVILEGES") && (where === on || where === "*.*");
  });
}

function ofDatabases({ makesDatabases }: StoreKind, before: StoreState, now: StoreState): StoreFinding[] {
  return [
    ...finding(
      "breaks",
      "has lost its database",
      before.databases.filter((name) => !now.databases.includes(name)),
    ),
    ...finding(
      "foreign",
      "has a new database",
      makesDatabases ? [] : now.databases.filter((name) => !before.databases.includes(name)),
    ),
  ];
}

/** Where the system's own programs delete all that a database holds, it is not known who did it the last time. */
function ofCalls({ calls: before }: StoreState, { calls: now }: StoreState): StoreFinding[] {
  if (!before || !now) return [];
  if (now.all < before.all || now.reset > before.reset)
    return [said("changed", "has lost count of what it was asked")];
  return before.emptied === 0 && now.emptied > 0 ? [said("breaks", "has deleted all that it held")] : [];
}
