import { createHash, randomBytes } from "node:crypto";

/** What tokens are signed with. */
export interface TokenKey {
  /** A digest of the key, as Kubernetes names its own: it is in the header of every token. */
  readonly id: string;
  readonly secret: Buffer;
}

/** The keys of a cluster's tokens. They come from no seed: from the signature of a token its holder could find that out. */
export interface TokenKeys {
  readonly current: TokenKey;
  /** The key with which a token was signed; `issuedAt`: cluster time, s. Undefined: such a token is worth nothing. */
  find(id: string, issuedAt: number): TokenKey | undefined;
  /**
   * `now`: cluster time, ms. The result puts the keys back, for a cluster that goes back to this moment. What is signed from then
   * on has a new key: what was signed between is worth nothing, not even where its account comes to have the same uid again.
   */
  save(now: number): () => void;
}

/** A key and the time until which tokens were signed with it, cluster time, s. */
interface FormerKey extends TokenKey {
  readonly until: number;
}

/** Keys that are new for each cluster. */
export function createTokenKeys(): TokenKeys {
  let current = newKey();
  let former: ReadonlyMap<string, FormerKey> = new Map();
  return {
    get current() {
      return current;
    },
    find(id, issuedAt) {
      if (id === current.id) return current;
      const key = former.get(id);
      return key && issuedAt <= key.until ? key : undefined;
    },
    save(now) {
      const until = Math.floor(now / 1000);
      const then = new Map(former).set(current.id, { ...current, until });
      return () => {
        former = then;
        current = newKey();
      };
    },
  };
}

function newKey(): TokenKey {
  const secret = randomBytes(32);
  return { secret, id: createHash("sha256").update(secret).digest("base64url") };
}
