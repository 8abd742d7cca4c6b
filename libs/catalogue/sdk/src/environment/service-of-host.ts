import type { Environment } from "./environment.types.ts";

/**
 * The Service that a host name means within the system: `cart`, `cart.shop`, `cart.shop.svc.cluster.local`, or the name of
 * one pod behind a headless Service, `cart-0.cart`. Undefined: none.
 */
export function serviceOfHost({ services }: Pick<Environment, "services">, host: string): string | undefined {
  const [first = "", second = ""] = host.split(".");
  if (services[first]) return first;
  return services[second]?.headless ? second : undefined;
}
