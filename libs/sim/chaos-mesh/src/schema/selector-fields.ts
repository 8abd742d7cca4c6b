import { type GoField, list, mapOf, optional, required, struct, text } from "./go-type.ts";

const labelRequirement = struct("v1.LabelSelectorRequirement", {
  key: required(text()),
  operator: required(text("v1.LabelSelectorOperator")),
  values: optional(list(text())),
});

/** `selector` of every experiment. */
const podSelectorSpec = struct("v1alpha1.PodSelectorSpec", {
  namespaces: optional(list(text())),
  fieldSelectors: optional(mapOf(text())),
  labelSelectors: optional(mapOf(text())),
  expressionSelectors: optional(list(labelRequirement)),
  annotationSelectors: optional(mapOf(text())),
  nodes: optional(list(text())),
  pods: optional(mapOf(list(text()))),
  nodeSelectors: optional(mapOf(text())),
  podPhaseSelectors: optional(list(text())),
});

const modes = ["one", "all", "fixed", "fixed-percent", "random-max-percent"];

/** Fields of Go's embedded PodSelector. */
export const podSelectorFields: Readonly<Record<string, GoField>> = {
  selector: required(podSelectorSpec),
  mode: required(text("v1alpha1.SelectorMode", modes)),
  value: optional(text()),
};

/** Fields of Go's embedded ContainerSelector. */
export const containerSelectorFields: Readonly<Record<string, GoField>> = {
  ...podSelectorFields,
  containerNames: optional(list(text())),
};

/** Fields that every experiment has besides its selector. */
export const commonFields: Readonly<Record<string, GoField>> = {
  duration: optional(text()),
  remoteCluster: optional(text()),
};
