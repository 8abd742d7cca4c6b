type Labels = Readonly<Record<string, string>> | undefined;

/** One rule on one label. `operator`: In, NotIn, Exists, DoesNotExist; on nodes also Gt and Lt. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Kubernetes' label selector. All of its parts must match; an empty one matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

/** Whether the labels hold every pair of the selector. */
export function holdsLabels(labels: Labels, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}

/** Whether the labels meet one rule. An operator that Kubernetes doesn't have is never met. */
export function meetsRequirement(labels: Labels, { key, operator, values = [] }: LabelRequirement): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** metav1.LabelSelector; undefined matches nothing, an empty one everything. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false;
  return (
    holdsLabels(labels, selector.matchLabels ?? {}) &&
    (selector.matchExpressions ?? []).every((requirement) => meetsRequirement(labels, requirement))
  );
}
