export type {
  AdmissionHook,
  AdmissionOperation,
  AdmissionRequest,
} from "./admission/admission-hook.types.ts";
export { admitNew, admitWithinLimits } from "./admission/admit-new.ts";
export { usedOf } from "./admission/quota.ts";
export { withRequester } from "./admission/signing-request.ts";
export type { TokenUser, User } from "./admission/user.ts";
export {
  type CallWebhook,
  type WebhookClient,
  type WebhookRequest,
  type WebhookResponse,
  webhookAdmission,
} from "./admission/webhooks/webhook-admission.ts";
export {
  cleanupFinalizer,
  customResources,
  definitionsRef,
  isDefinition,
  resourceOf,
  settledStatus,
} from "./custom/definitions.ts";
export { allocateService } from "./defaults/allocate-service.ts";
export { defaulted, defaultObject, initialStatus } from "./defaults/default-object.ts";
export { qosClass } from "./defaults/pod.ts";
export { templateGeneration, withTemplateGeneration } from "./defaults/template-generation.ts";
export { forbiddenField, invalidValue } from "./fields/field-errors.ts";
export { parseJsonPath } from "./fields/json-path.ts";
export { applyConfiguration } from "./patch/apply-configuration.ts";
export { jsonPatch } from "./patch/json-patch.ts";
export { tracked, type Writer } from "./patch/managed-fields.ts";
export { patchTags } from "./patch/merge-keys.ts";
export { mergePatch } from "./patch/merge-patch.ts";
export { builtInRules, customRules } from "./patch/merge-rules.ts";
export { strategicMerge } from "./patch/strategic-merge.ts";
export { undeclaredFields } from "./patch/undeclared-fields.ts";
export { labelsText, nameColumn, selectorText, text } from "./resource-type/columns.ts";
export { inGroup, type ResourceOptions, statusSubresource } from "./resource-type/define.ts";
export {
  apiVersionOf,
  type CustomType,
  hasStatus,
  type InstalledType,
  type Printer,
  type ResourceType,
  type Subresource,
  storageOf,
} from "./resource-type/resource-type.ts";
export {
  type ApiGroup,
  type Catalog,
  createCatalog,
  createServed,
  resourceTypes,
  type Served,
} from "./resources/catalog.ts";
export { type Decoded, decode } from "./schema/decode.ts";
export type { FieldType } from "./schema/field-type.ts";
export { readModel, structOf } from "./schema/models.ts";
export { findStruct, modelOf } from "./schema/structs.ts";
export { requireFields } from "./selectors/selectable-fields.ts";
export { fieldSelector, labelSelector, matchesLabels, type Predicate } from "./selectors/selectors.ts";
export { readSigningRequest } from "./signing/read-request.ts";
export { prune } from "./structural-schema/schema.ts";
export { podRules, validatePodSpec } from "./validation/pod-spec.ts";
export { validateObject } from "./validation/validate-object.ts";
