/** metav1.Time: RFC 3339 in whole seconds. `ms` since the epoch. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
