import { configMap } from "../manifests.ts";
import { given } from "../steps/index.ts";

export const maps = "/api/v1/namespaces/$NS/configmaps";
export const labelled = (name: string, labels: object) => configMap(name, {}, { labels });
export const shop = [
  given(labelled("a", { tier: "front", env: "dev" }), labelled("b", { tier: "back", env: "prod" }), labelled("c", { tier: "back", env: "test" }), labelled("d", {})),
];
export const version = (list: { metadata?: { resourceVersion?: string } }): string => list.metadata?.resourceVersion ?? "";
