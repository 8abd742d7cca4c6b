import { type Network, specialTokens } from "./network-file.ts";
import { startReading } from "./run-network.ts";

/** What the network is given of a case. Names of another alphabet than that of Kubernetes' names lose those characters. */
export interface Prompt {
  readonly fault: string;
  readonly namespace: string;
  readonly target: string;
}

const [start, next, write, end] = [1, 2, 3, 4];

/** Most tokens that are read of a field: names in Kubernetes have at most 63 characters. */
const mostOfField = 40;

/** Most tokens that are written: the longest script that the network was given in training has two thirds of it. */
export const mostWritten = 320;

/** The script that the network writes for a case, always the likeliest token. The same file and the same case: the same script. */
export function writeScript(network: Network, prompt: Prompt): string {
  const reading = startReading(network);
  let logits: Float32Array = new Float32Array();
  for (const token of tokensOf(prompt, network)) logits = reading.next(token);
  const texts = [...Array<string>(specialTokens).fill(""), ...network.names, ...network.pieces];
  let script = "";
  for (let written = 0; written < mostWritten; written++) {
    const token = likeliest(logits);
    if (token === end) break;
    script += texts[token] ?? "";
    logits = reading.next(token);
  }
  return script;
}

/** The tokens of a prompt: each field in the longest pieces that fit, from the left on. */
export function tokensOf({ fault, namespace, target }: Prompt, { names }: Pick<Network, "names">): number[] {
  const places = new Map(names.map((text, place) => [text, specialTokens + place]));
  const longest = Math.max(...names.map(({ length }) => length));
  const field = (text: string): number[] => {
    const tokens: number[] = [];
    const known = [...text].filter((character) => places.has(character)).join("");
    for (let at = 0; at < known.length && tokens.length < mostOfField; ) {
      let size = Math.min(longest, known.length - at);
      while (size > 1 && !places.has(known.slice(at, at + size))) size--;
      tokens.push(places.get(known.slice(at, at + size)) ?? start);
      at += size;
    }
    return tokens;
  };
  return [start, ...field(fault), next, ...field(namespace), next, ...field(target), write];
}

function likeliest(logits: Float32Array): number {
  let best = 0;
  for (const [token, value] of logits.entries()) if (value > (logits[best] ?? 0)) best = token;
  return best;
}
