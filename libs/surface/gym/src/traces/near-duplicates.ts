/** Words of which a shingle is made. */
const shingleWords = 3;
const hashes = 64;
/** Of so many hashes each; texts with an equal band are compared. At 0.9 one of 16 bands is equal nearly always. */
const bandRows = 4;

/** Texts that were seen; each takes some 500 bytes. */
export interface SeenTexts {
  /** Whether no text before was nearly the same; remembers it if so. */
  isNew(text: string): boolean;
}

/** Texts are nearly the same when they share so much of their runs of three words, by MinHash (Broder 1997). */
export function createSeenTexts(mostAlike = 0.9): SeenTexts {
  const signatures: Uint32Array[] = [];
  const bands = new Map<string, number[]>();
  return {
    isNew(text) {
      const signature = signatureOf(text);
      const keys = bandsOf(signature);
      const candidates = new Set(keys.flatMap((key) => bands.get(key) ?? []));
      for (const one of candidates) {
        const other = signatures[one];
        if (other && alikeOf(signature, other) >= mostAlike) return false;
      }
      const place = signatures.push(signature) - 1;
      for (const key of keys) {
        const known = bands.get(key);
        if (known) known.push(place);
        else bands.set(key, [place]);
      }
      return true;
    },
  };
}

function signatureOf(text: string): Uint32Array {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const least = new Uint32Array(hashes).fill(0xffffffff);
  const count = Math.max(1, words.length - shingleWords + 1);
  for (let at = 0; at < count; at++) {
    const base = hashOf(words.slice(at, at + shingleWords).join(" "));
    for (let k = 0; k < hashes; k++) {
      const value = mixed(base + Math.imul(k, 0x9e3779b9));
      if (value < (least[k] ?? 0)) least[k] = value;
    }
  }
  return least;
}

const alikeOf = (a: Uint32Array, b: Uint32Array): number =>
  a.reduce((sum, value, k) => sum + (value === b[k] ? 1 : 0), 0) / hashes;

const bandsOf = (signature: Uint32Array): string[] =>
  Array.from(
    { length: hashes / bandRows },
    (_, band) => `${band}/${signature.subarray(band * bandRows, (band + 1) * bandRows).join(",")}`,
  );

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The last step of MurmurHash3. */
function mixed(given: number): number {
  let value = given >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
