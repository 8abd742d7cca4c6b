import { expect, test } from "vitest";
import { dialledAddress } from "./dialled-address.ts";

test.each([
  ["cart:7070", "cart", 7070],
  ["cart.shop.svc.cluster.local:80", "cart.shop.svc.cluster.local", 80],
  ["http://cart:8080/api/v1?a=b", "cart", 8080],
  ["http://cart/api", "cart", 80],
  ["cart", "cart", 80],
  ["redis:6379,password=a:b", "redis", 6379],
  ["redis://:secret@cache:6380/0", "cache", 6380],
  ["mongodb://user:p%40ss@db-0.db:27017,db-1.db:27017/shop", "db-0.db", 27017],
  ["jdbc:postgresql://db:5432/shop", "db", 5432],
  ["user:secret@tcp(db:3306)/shop", "db", 3306],
  ["", "", 80],
])("%s leads to %s", (given, host, port) => {
  expect(dialledAddress(given, "cart:80")).toEqual({ host, port });
});

test("without a port anywhere there is none", () => {
  expect(dialledAddress("cart")).toEqual({ host: "cart", port: Number.NaN });
});
