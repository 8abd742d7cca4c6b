import { over, type System } from "../system.ts";
import { type InferredCall, inferredCall, protocolOf } from "./calls.ts";
import { roleOf } from "./roles.ts";

/** Words in the names of stores and services that say nothing of what they are for. */
const common =
  /^(mongodb?|mongo|redis|valkey|memcached?|mmc|cache|mysql|mariadb|postgres(ql)?|pg|db|database|data|store|storage|rabbitmq|nats|kafka|queue|service|svc|server|app|api|deployment|v\d+|ctr)$/;
const shortest = 3;

const tokensOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((word) => word.match(/[a-z]+|\d+/g) ?? [])
    .filter((word) => !common.test(word) && word.length >= shortest);

/** `reserve` and `reservation` are of one thing; `cart` and `cartservice` are, too. */
const isLike = (a: string, b: string): boolean => {
  const length = Math.min(a.length, b.length);
  const same = [...a].findIndex((letter, index) => letter !== b[index]);
  const alike = same < 0 ? a.length : same;
  return alike >= Math.max(shortest, Math.min(length, Math.ceil(0.75 * length)));
};

/**
 * Whose a store is that no program's configuration names: `mongodb-geo` is of `geo`, `carts-db` of `carts`. `known`: calls that are
 * inferred already.
 */
export function callsByName(system: System, known: readonly InferredCall[]): InferredCall[] {
  const called = new Set(known.map(({ call }) => call.to));
  const services = [...system.workloads]
    .filter(([name, spec]) => roleOf(name, spec) === "service")
    .map(([name]) => ({ name, tokens: tokensOf(name) }));
  return [...system.workloads].flatMap(([store, spec]): InferredCall[] => {
    if (called.has(store) || roleOf(store, spec) !== "store") return [];
    const wanted = tokensOf(store);
    const owners = services.filter(({ tokens }) =>
      tokens.some((token) => wanted.some((one) => isLike(one, token))),
    );
    const [owner] = bestOf(
      owners.map(({ name }) => name),
      wanted,
    );
    const [service] = over(system, store);
    const port = service === undefined ? undefined : system.services.get(service)?.ports[0]?.port;
    if (owner === undefined || service === undefined || port === undefined) return [];
    const address = `${service}:${port}`;
    const protocol = protocolOf(system, store, { service, address, scheme: undefined });
    const call = inferredCall(system, store, address, protocol);
    return [{ from: owner, call, confidence: "likely", why: `the names ${store} and ${owner}` }];
  });
}

/** The name with the fewest words besides those that are wanted. */
const bestOf = (names: readonly string[], wanted: readonly string[]): string[] =>
  names.toSorted((a, b) => strangersIn(a, wanted) - strangersIn(b, wanted));

const strangersIn = (name: string, wanted: readonly string[]): number =>
  tokensOf(name).filter((token) => !wanted.some((one) => isLike(one, token))).length;
