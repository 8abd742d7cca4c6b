import { load, YAMLException } from "js-yaml";

/** Fields of a kubeconfig, or of a part of one. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a kubeconfig's current context names. */
export interface CurrentContext {
  /** All of the kubeconfig. */
  readonly config: Fields;
  readonly context: Fields | undefined;
  readonly cluster: Fields | undefined;
  readonly user: Fields | undefined;
}

/** Reads the text of a kubeconfig; undefined when it is none. */
export function currentContext(kubeconfig: string): CurrentContext | undefined {
  const config = parse(kubeconfig);
  if (!config) return undefined;
  const context = named(config["contexts"], config["current-context"], "context");
  const cluster = named(config["clusters"], context?.["cluster"], "cluster");
  const user = named(config["users"], context?.["user"], "user");
  return { config, context, cluster, user };
}

function parse(text: string): Fields | undefined {
  try {
    const value = load(text);
    return isFields(value) ? value : undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** The entry of a kubeconfig's list that has the name, without its envelope. */
function named(list: unknown, name: unknown, kind: string): Fields | undefined {
  if (!Array.isArray(list)) return undefined;
  const entry = list.find((one: unknown) => isFields(one) && one["name"] === name);
  const content = isFields(entry) ? entry[kind] : undefined;
  return isFields(content) ? content : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
