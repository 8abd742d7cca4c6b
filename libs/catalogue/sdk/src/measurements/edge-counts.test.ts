import { expect, test } from "vitest";
import { edgeCountsOf } from "./edge-counts.ts";

test.each([
  ["cart", "web -> cart:80"],
  ["cart.shop.svc", "web -> cart:80"],
  ["cart.shop.svc.cluster.local", "web -> cart:80"],
  ["cart-0.cart.shop.svc.cluster.local", "web -> cart-0.cart:80"],
  ["10.0.0.7", "web -> 10.0.0.7:80"],
])("a program that calls %s: %s", (host, edge) => {
  const labels = { server_address: host, server_port: "80" };
  const samples = [{ name: "http_client_request_duration_seconds_count", labels, value: 3 }];
  expect([...edgeCountsOf("web", samples)].map(([name, { ok }]) => [name, ok])).toEqual([[edge, 3]]);
});
