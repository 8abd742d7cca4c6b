import {
  isRecord,
  jsonEqual,
  type KubeObject,
  type Loose,
  type NewObject,
  type StatusCause,
} from "@microremed/sim-objects";
import { cronError } from "@microremed/sim-time";
import {
  forbiddenField,
  goStringMap,
  invalidLiteral,
  invalidValue,
  notSupported,
  required,
  unsupportedLiteral,
} from "../fields/field-errors.ts";
import { matchesLabels } from "../selectors/selectors.ts";
import { labelKey, validateLabels } from "./names.ts";
import { type PodSpecRules, validatePodSpec } from "./pod-spec.ts";

const always: PodSpecRules = { restartPolicies: ["Always"] };
const untilDone: PodSpecRules = { restartPolicies: ["OnFailure", "Never"] };

function notNegative(field: string, value: unknown): StatusCause[] {
  if (typeof value !== "number" || value >= 0) return [];
  return [invalidValue(field, value, "must be greater than or equal to 0")];
}

/** `%#v` of a metav1.LabelSelector with labels only. */
function goSelector(selector: Loose): string {
  const labels = selector?.matchLabels ? goStringMap(selector.matchLabels) : "map[string]string(nil)";
  return `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}`;
}

const operators = ["In", "NotIn", "Exists", "DoesNotExist"];

function validateSelector(field: string, selector: Loose): StatusCause[] {
  const expressions: Loose[] = selector?.matchExpressions ?? [];
  return [
    ...validateLabels(`${field}.matchLabels`, selector?.matchLabels),
    ...expressions.flatMap(({ key, operator, values = [] }, index) => {
      const at = `${field}.matchExpressions[${index}]`;
      if (!operators.includes(operator))
        return [invalidValue(`${at}.operator`, operator, "not a valid selector operator")];
      const needs = operator === "In" || operator === "NotIn";
      if (needs && values.length === 0)
        return [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
      return labelKey(`${at}.key`, String(key ?? ""));
    }),
  ];
}

function validateTemplate(spec: Loose, rules: PodSpecRules): StatusCause[] {
  const template = spec?.template;
  const labels = template?.metadata?.labels;
  const causes = validateLabels("spec.template.metadata.labels", labels);
  if (spec?.selector && !matchesLabels(spec.selector, labels)) {
    const shown = labels ? goStringMap(labels) : "map[string]string(nil)";
    causes.push(
      invalidLiteral("spec.template.metadata.labels", shown, "`selector` does not match template `labels`"),
    );
  }
  const claims: string[] = (spec?.volumeClaimTemplates ?? []).map((claim: Loose) => claim?.metadata?.name);
  return [...causes, ...validatePodSpec("spec.template.spec", template?.spec, { ...rules, claims })];
}

function validateSelected(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const { spec } = object;
  const { selector } = spec ?? {};
  const isEmpty =
    !selector || (!Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length);
  const causes: StatusCause[] = [];
  if (!selector) causes.push(required("spec.selector"));
  else if (isEmpty) {
    const detail = `empty selector is invalid for ${object.kind.toLowerCase()}`;
    causes.push(invalidLiteral("spec.selector", goSelector(selector), detail));
  } else causes.push(...validateSelector("spec.selector", selector));
  causes.push(
    ...notNegative("spec.replicas", spec?.replicas),
    ...notNegative("spec.minReadySeconds", spec?.minReadySeconds),
  );
  causes.push(...validateTemplate(spec, always));
  if (old && selector && !jsonEqual(old.spec?.selector, selector)) {
    causes.push(invalidLiteral("spec.selector", goSelector(selector), "field is immutable"));
  }
  return causes;
}

const share = /^[0-9]+%$/;

function intOrPercent(field: string, value: unknown): StatusCause[] {
  if (typeof value === "string") {
    return share.test(value)
      ? []
      : [
          invalidValue(
            field,
            value,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
          ),
        ];
  }
  return notNegative(field, value);
}

/** A Deployment's Pods must be able to become available before its deadline. */
function progressDeadline({ progressDeadlineSeconds, minReadySeconds = 0 }: Loose): StatusCause[] {
  const at = "spec.progressDeadlineSeconds";
  if (progressDeadlineSeconds === undefined) return [];
  const isLate = progressDeadlineSeconds <= minReadySeconds;
  return [
    ...notNegative(at, progressDeadlineSeconds),
    ...(isLate ? [invalidValue(at, progressDeadlineSeconds, "must be greater than minReadySeconds")] : []),
  ];
}

const isZero = (value: unknown): boolean => value === 0 || (typeof value === "string" && /^0+%$/.test(value));

export function validateDeployment(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = validateSelected(object, old);
  const { strategy = {} } = object.spec;
  const at = "spec.strategy.rollingUpdate";
  if (strategy.type === "Recreate" && strategy.rollingUpdate) {
    causes.push(forbiddenField(at, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (strategy.type === "RollingUpdate") {
    const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
    causes.push(
      ...intOrPercent(`${at}.maxUnavailable`, maxUnavailable),
      ...intOrPercent(`${at}.maxSurge`, maxSurge),
    );
    if (isZero(maxUnavailable) && isZero(maxSurge)) {
      causes.push(
        invalidLiteral(
          `${at}.maxUnavailable`,
          'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}',
          "may not be 0 when `maxSurge` is 0",
        ),
      );
    }
  } else if (strategy.type !== "Recreate") {
    const literal = goStrategy("DeploymentStrategy", strategy, "RollingUpdateDeployment");
    causes.push(unsupportedLiteral("spec.strategy", literal, ["Recreate", "RollingUpdate"]));
  }
  return [
    ...causes,
    ...notNegative("spec.revisionHistoryLimit", object.spec.revisionHistoryLimit),
    ...progressDeadline(object.spec),
  ];
}

export function validateReplicaSet(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  return validateSelected(object, old);
}

export function validateReplicationController(object: NewObject): StatusCause[] {
  const { spec } = object;
  const numbers = [
    ...notNegative("spec.minReadySeconds", spec.minReadySeconds),
    ...notNegative("spec.replicas", spec.replicas),
  ];
  if (Object.keys(spec.selector ?? {}).length === 0) numbers.push(required("spec.selector"));
  if (!isRecord(spec.template)) return [...numbers, required("spec.template")];
  const selector = { matchLabels: spec.selector };
  return [...numbers, ...validateTemplate({ ...spec, selector }, always)];
}

const mutableOfStatefulSet = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
  "revisionHistoryLimit",
]);

export function validateStatefulSet(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = validateSelected(object, undefined);
  const changed = Object.keys({ ...old?.spec, ...object.spec }).filter(
    (key) => old && !mutableOfStatefulSet.has(key) && !jsonEqual(old.spec?.[key], object.spec?.[key]),
  );
  if (changed.length > 0) {
    causes.push(
      forbiddenField(
        "spec",
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
    );
  }
  const { updateStrategy = {} } = object.spec;
  if (!updateTypes.includes(updateStrategy.type)) {
    const literal = goStrategy(
      "StatefulSetUpdateStrategy",
      updateStrategy,
      "RollingUpdateStatefulSetStrategy",
    );
    causes.push(invalidLiteral("spec.updateStrategy", literal, "must be 'RollingUpdate' or 'OnDelete'"));
  }
  return causes;
}

const updateTypes = ["RollingUpdate", "OnDelete"];

/** A strategy as Go's `%#v` prints it; the address of its parameters is of no use to anyone. */
function goStrategy(name: string, { type, rollingUpdate }: Loose, parameters: string): string {
  const address = rollingUpdate ? "0xc000000000" : "nil";
  return `apps.${name}{Type:${JSON.stringify(type ?? "")}, RollingUpdate:(*apps.${parameters})(${address})}`;
}

export function validateDaemonSet(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = validateSelected(object, old);
  const { updateStrategy = {} } = object.spec;
  if (!updateTypes.includes(updateStrategy.type)) {
    const literal = goStrategy("DaemonSetUpdateStrategy", updateStrategy, "RollingUpdateDaemonSet");
    causes.push(unsupportedLiteral("spec.updateStrategy", literal, updateTypes));
  }
  return causes;
}

export function validateJob(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const { spec } = object;
  const causes = validateTemplate(spec, untilDone);
  for (const name of ["parallelism", "completions", "backoffLimit", "activeDeadlineSeconds"]) {
    causes.push(...notNegative(`spec.${name}`, spec[name]));
  }
  if (old && !jsonEqual(old.spec?.template, spec.template)) {
    causes.push(invalidLiteral("spec.template", "core.PodTemplateSpec{...}", "field is immutable"));
  }
  return causes;
}

/** What is wrong with the name of a time zone; undefined: nothing, or none is given. */
function zoneError(zone: unknown): string | undefined {
  if (zone === undefined || zone === null) return undefined;
  if (zone === "") return "timeZone must be nil or non-empty string";
  if (/^local$/i.test(String(zone)))
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  try {
    // An offset such as +01:00 is no name.
    if (/^[A-Za-z]/.test(String(zone))) new Intl.DateTimeFormat("en", { timeZone: String(zone) });
    else return `unknown time zone ${zone}`;
  } catch {
    return `unknown time zone ${zone}`;
  }
  return undefined;
}

export function validateCronJob(object: NewObject): StatusCause[] {
  const { schedule, timeZone, jobTemplate, concurrencyPolicy } = object.spec ?? {};
  const causes: StatusCause[] = [];
  const wrong = schedule ? cronError(String(schedule)) : undefined;
  if (!schedule) causes.push(required("spec.schedule"));
  else if (wrong !== undefined) causes.push(invalidValue("spec.schedule", schedule, wrong));
  const wrongZone = zoneError(timeZone);
  if (wrongZone !== undefined) causes.push(invalidValue("spec.timeZone", timeZone, wrongZone));
  if (!["Allow", "Forbid", "Replace"].includes(concurrencyPolicy)) {
    causes.push(notSupported("spec.concurrencyPolicy", concurrencyPolicy, ["Allow", "Forbid", "Replace"]));
  }
  const inner = validatePodSpec(
    "spec.jobTemplate.spec.template.spec",
    jobTemplate?.spec?.template?.spec,
    untilDone,
  );
  return [...causes, ...inner];
}
