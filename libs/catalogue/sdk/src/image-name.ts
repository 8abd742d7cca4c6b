/** `busybox:1.35` is `docker.io/library/busybox:1.35`. Undefined: its registry is in its name. */
export function otherImageName(image: string): string | undefined {
  const [first = "", ...rest] = image.split("/");
  if (image === "") return undefined;
  if (rest.length === 0) return `docker.io/library/${image}`;
  return /[.:]|^localhost$/.test(first) ? undefined : `docker.io/${image}`;
}

/** Whether two names are of one image: that of Docker Hub may be left out. */
export function isSameImage(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (otherImageName(one) ?? one) === (otherImageName(other) ?? other);
}
