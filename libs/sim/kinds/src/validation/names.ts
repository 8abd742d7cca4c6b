import type { StatusCause } from "@microremed/sim-objects";
import { invalidValue } from "../fields/field-errors.ts";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const service = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const serviceText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const keyText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function check(field: string, name: string, pattern: RegExp, text: string, max: number): StatusCause[] {
  if (name.length > max) return [invalidValue(field, name, `must be no more than ${max} characters`)];
  return pattern.test(name) ? [] : [invalidValue(field, name, text)];
}

export function dnsLabel(field: string, name: string): StatusCause[] {
  return check(field, name, label, labelText, 63);
}

export function serviceName(field: string, name: string): StatusCause[] {
  return check(field, name, service, serviceText, 63);
}

export function dnsSubdomain(field: string, name: string): StatusCause[] {
  return check(field, name, subdomain, subdomainText, 253);
}

/** Names of RBAC objects: anything that is one path segment. */
export function pathSegment(field: string, name: string): StatusCause[] {
  if (name === "." || name === "..") return [invalidValue(field, name, `may not be '${name}'`)];
  return /[/%]/.test(name) ? [invalidValue(field, name, "may not contain '/'")] : [];
}

export function validateLabels(
  field: string,
  labels: Readonly<Record<string, string>> | undefined,
): StatusCause[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...labelKey(field, key),
    ...(value === "" ? [] : check(field, value, qualifiedName, valueText, 63)),
  ]);
}

export function labelKey(field: string, key: string): StatusCause[] {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  const prefix =
    slash < 0 ? [] : check(field, key.slice(0, slash), subdomain, `prefix part ${subdomainText}`, 253);
  return [...prefix, ...check(field, name, qualifiedName, keyText, 63)];
}
