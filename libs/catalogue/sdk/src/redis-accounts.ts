/** A user that a Redis is started with, besides its default one. */
export interface RedisAccount {
  readonly name: string;
  readonly password: string;
}

/**
 * Arguments of redis-server that ask for a password and list two users, the default one and another one. One of them needs no
 * password: `openTo` says which. Clients that give no name are the default user.
 */
export function accountArguments(
  { name, password }: RedisAccount,
  { openTo, isFirst }: { readonly openTo: "default" | "other"; readonly isFirst: boolean },
): string[] {
  const user = (who: string, isOpen: boolean): string[] => [
    ...["--user", who, "on", isOpen ? "nopass" : `>${password}`],
    ...["~*", "&*", "+@all"],
  ];
  const users = [user("default", openTo === "default"), user(name, openTo === "other")];
  return ["--requirepass", password, ...(isFirst ? users : users.toReversed()).flat()];
}
