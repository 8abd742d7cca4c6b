import { type CorefileDirective, namePattern, partsNaming, type ServerBlock } from "@microremed/kube-rules";

/** What a Corefile says of names of one namespace alone: a directive in a block that has others too, or a server block. */
export interface NameRule {
  /** On one line, without comments: `template IN A { rcode NXDOMAIN }`. */
  readonly text: string;
  readonly directive?: CorefileDirective;
  readonly block?: ServerBlock;
}

const textOf = ({ name, args, block }: CorefileDirective): string =>
  [name, ...args, ...(block.length > 0 ? ["{", ...block.map((line) => line.join(" ")), "}"] : [])].join(" ");

/** The names that a namespace's Services have: `cart.<zone>`. */
export const zoneOf = (namespace: string): string => `${namespace}.svc.cluster.local`;

/** The rules of a Corefile about a namespace. None where it cannot be read. */
export const nameRules = (corefile: string, namespace: string): readonly NameRule[] =>
  partsNaming(corefile, namespace).map((part) =>
    "block" in part
      ? { ...part, text: `${part.block.zones.join(" ")} { ${part.block.directives.map(textOf).join(" ")} }` }
      : { ...part, text: textOf(part.directive) },
  );

/** Whether a `template` without an answer keeps a whole name from the plugins behind it. */
function hides({ args, block }: CorefileDirective, name: string): boolean {
  if (block.some(([option]) => option === "answer")) return false;
  const zones = args.slice(2).map((zone) => zone.replace(/\.$/, ""));
  if (zones.length > 0 && !zones.some((zone) => name === zone || name.endsWith(`.${zone}`))) return false;
  const patterns = block.flatMap(([option, ...words]) => (option === "match" ? words : []));
  return patterns.length === 0 || patterns.some((one) => fits(one, `${name}.`));
}

function fits(pattern: string, name: string): boolean {
  try {
    return namePattern(pattern).groupsIn(name) !== undefined;
  } catch {
    return false;
  }
}

/** Of these Services of a namespace those whose names a rule takes away. */
export function hiddenBy(rule: NameRule, namespace: string, services: readonly string[]): readonly string[] {
  const { directive, block } = rule;
  const zone = zoneOf(namespace);
  if (block)
    return block.directives.some(({ name }) => name === "kubernetes")
      ? []
      : services.filter((service) => block.zones.some((one) => one === zone || one === `${service}.${zone}`));
  if (directive?.name === "template")
    return services.filter((service) => hides(directive, `${service}.${zone}`));
  if (directive?.name !== "rewrite") return [];
  const [to = "", from = ""] = directive.args.map((word) => word.replace(/\.$/, "")).reverse();
  const leadsOn = services.some((service) => to === `${service}.${zone}`);
  return leadsOn ? [] : services.filter((service) => from === `${service}.${zone}`);
}
