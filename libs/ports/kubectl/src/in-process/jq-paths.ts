/** Where a jq program names what it changes: of the jq in process each of these takes plain paths alone. */
const takesPath = /\b(del|path)\s*\(/g;
/** A parenthesis, with a path behind it or not, that something is assigned to. */
const assigned = /\)(?:\.\w*|\[[^\]]*\]|\?)*\s*(?:\|=|\/\/=|[-+*/%]=|=(?!=))/g;
/** `.spec.containers[0].env["a"]?`; strings are empty here. */
const plain = /^(?:\s|\.(?:\w+|""|(?=\[|$))|\[(?:""|-?\d+|\$\w+)\]|\?)+$/;
const text = /"(?:[^"\\]|\\.)*"/g;

/**
 * What of a jq program just-bash's jq (3.4.2) does otherwise than jq, without a word: it changes nothing, or something else, where
 * the path is no plain one. Undefined: nothing is known of it.
 */
export function wrongInJq(program: string): string | undefined {
  const bare = program.replace(text, '""');
  if (/\bwalk\s*\(/.test(bare)) return "walk";
  for (const { 0: call, 1: name, index } of bare.matchAll(takesPath)) {
    const begin = index + call.length;
    if (!plain.test(bare.slice(begin, closing(bare, begin)))) return `${name}(...) of more than a plain path`;
  }
  for (const { index } of bare.matchAll(assigned))
    if (!plain.test(bare.slice(opening(bare, index) + 1, index)))
      return "an assignment to a path in parentheses";
  return undefined;
}

/** Where the parenthesis ends that is open at `at`. */
function closing(program: string, at: number): number {
  let open = 1;
  for (let index = at; index < program.length; index++) {
    if (program[index] === "(") open++;
    if (program[index] === ")" && --open === 0) return index;
  }
  return program.length;
}

/** Where the parenthesis begins that ends at `at`. */
function opening(program: string, at: number): number {
  let open = 0;
  for (let index = at; index >= 0; index--) {
    if (program[index] === ")") open++;
    if (program[index] === "(" && --open === 0) return index;
  }
  return 0;
}
