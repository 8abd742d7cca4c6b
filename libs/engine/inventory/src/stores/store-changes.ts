import type { Environment } from "@microremed/catalogue";
import type { KubeObject, Pod } from "@microremed/cluster";
import { z } from "zod";
import { podTemplateOf } from "../starting/pod-template.ts";
import { processOf, type StoreAnswers, type StoreServer, storeServers } from "./read-stores.ts";
import { type StoreFinding, storeFindings } from "./store-findings.ts";
import type { StoreAnswer, StoreCalls, StoreState } from "./store-state.ts";

const Texts = z.record(z.string(), z.string());

/** What servers of datastores had in force before the fault. */
export const KnownStores = z.strictObject({
  states: z
    .record(
      z.string(),
      z.strictObject({
        settings: Texts,
        logins: Texts,
        rights: z.record(z.string(), z.array(z.string())),
        databases: z.array(z.string()),
      }),
    )
    .describe("workload/container -> what all of its replicas had alike"),
  calls: z
    .record(z.string(), z.strictObject({ all: z.number(), emptied: z.number(), reset: z.number() }))
    .describe("process of a server -> how many commands it had run"),
});
/** What servers of datastores had in force before the fault. */
export type KnownStores = z.infer<typeof KnownStores>;

/** Of one server. */
export interface StoreChange extends StoreFinding {
  readonly pod: Pod;
  readonly workload: string;
}

const placeOf = ({ workload, container }: StoreServer): string => `${workload}/${container}`;

/** What is to be remembered of the servers' answers. */
export function knownStores(
  environment: Environment,
  objects: readonly KubeObject[],
  answers: StoreAnswers,
): KnownStores {
  const found = new Map<string, StoreState[]>();
  const calls: Record<string, StoreCalls> = {};
  for (const server of storeServers(environment, objects)) {
    const answer = answers[processOf(server)];
    if (!answer || "refused" in answer) continue;
    found.set(placeOf(server), [...(found.get(placeOf(server)) ?? []), answer]);
    if (answer.calls) calls[processOf(server)] = answer.calls;
  }
  return { states: Object.fromEntries([...found].map(([place, all]) => [place, alike(all)])), calls };
}

/** What all replicas of a server have alike: what is each one's own says nothing of the next one. */
function alike([first, ...others]: readonly StoreState[]): KnownStores["states"][string] {
  const { settings = {}, logins = {}, rights = {}, databases = [] } = first ?? {};
  const isAlike = (name: string): boolean => others.every((one) => one.settings[name] === settings[name]);
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => isAlike(name))),
    logins: Object.fromEntries(
      Object.entries(logins).filter(([name]) => others.every((one) => one.logins[name] !== undefined)),
    ),
    rights: Object.fromEntries(Object.entries(rights).map(([name, some]) => [name, [...some]])),
    databases: databases.filter((name) => others.every((one) => one.databases.includes(name))),
  };
}

/**
 * What servers have in force now that they had not before. `declared`: the arena's objects with what noises made of them, whose
 * arguments may give a server other settings. `hadFault`: workloads whose servers the fault has changed.
 */
export function storeChanges(
  environment: Environment,
  objects: readonly KubeObject[],
  answers: StoreAnswers,
  remembered: KnownStores,
  declared: readonly KubeObject[],
  hadFault: (workload: string) => boolean,
): StoreChange[] {
  return storeServers(environment, objects).flatMap((server): StoreChange[] => {
    const [before, now] = [remembered.states[placeOf(server)], answers[processOf(server)]];
    if (!before || !now) return [];
    const calls = remembered.calls[processOf(server)];
    const settings = { ...before.settings, ...inForceAsDeclared(server, declared, now) };
    const known: StoreState = { ...before, settings };
    const expected = "refused" in now ? known : withNoise(known, { now, environment, declared }, server);
    const state = { ...expected, ...(calls && { calls }) };
    const { pod, workload } = server;
    return storeFindings(server.kind, state, now, hadFault(workload)).map((finding) => ({
      ...finding,
      pod,
      workload,
    }));
  });
}

/**
 * What arguments that a noise has given a server, or gave it and that are the environment's own again, make of what it had before. That
 * a noise was undone is charged as a change of the template.
 */
function withNoise(
  before: StoreState,
  {
    now,
    environment,
    declared,
  }: {
    readonly now: StoreState;
    readonly environment: Environment;
    readonly declared: readonly KubeObject[];
  },
  server: StoreServer,
): StoreState {
  const { kind, workload, container, pod } = server;
  const named = ({ name }: { readonly name: string }): boolean => name === container;
  const own = environment.workloads[workload]?.containers.find(named)?.args ?? [];
  const noised = argumentsIn(declared, server);
  const live = argumentsOf(pod.spec?.containers.find(named));
  if (isSame(noised, own) || ![own, noised].some((one) => isSame(live, one))) return before;
  const settings = isSame(live, own) ? Object.keys(kind.settingsIn?.(noised) ?? {}) : [];
  const accounts = kind.accountsIn?.(noised) ?? [];
  // A noise that came before the servers were asked is in their answers.
  if (isSame(live, noised) && accounts.every((name) => before.logins[name] !== undefined)) return before;
  return {
    ...before,
    settings: asNow(before.settings, now.settings, settings),
    logins: asNow(before.logins, now.logins, accounts),
    rights: asNow(before.rights, now.rights, accounts),
  };
}

/** Some of the values as they are now, or gone as they are now. */
function asNow<T>(
  before: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  names: readonly string[],
): Record<string, T> {
  const isOther = ([name]: readonly [string, T]): boolean => !names.includes(name);
  const kept = Object.entries(before).filter(isOther);
  return Object.fromEntries([...kept, ...Object.entries(now).filter((one) => !isOther(one))]);
}

const argumentsOf = (container: object | undefined): readonly string[] =>
  z
    .array(z.string())
    .catch([])
    .parse(Reflect.get(container ?? {}, "args"));

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Arguments of a server's container as an arena's objects have them. */
const argumentsIn = (
  objects: readonly KubeObject[],
  { workload, container }: StoreServer,
): readonly string[] =>
  objects
    .filter(({ metadata }) => metadata.name === workload)
    .flatMap((object) => podTemplateOf(object)?.containers ?? [])
    .find(({ name }) => name === container)?.args ?? [];

/** Settings of a server that are in force as the arguments of its declared container say. */
function inForceAsDeclared(
  server: StoreServer,
  declared: readonly KubeObject[],
  now: StoreAnswer,
): Record<string, string> {
  if ("refused" in now || !server.kind.settingsIn) return {};
  const settings = Object.entries(server.kind.settingsIn(argumentsIn(declared, server)));
  return Object.fromEntries(settings.filter(([name, value]) => now.settings[name] === value));
}

/** A change in one line, to find it again. */
export const storeText = ({ workload, detail, now }: Omit<StoreChange, "pod" | "class">): string =>
  `${workload} ${detail} ${now}`;
