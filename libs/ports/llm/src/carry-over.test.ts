import { expect, test } from "vitest";
import { inThisRun, namesOfThisRun } from "./carry-over.ts";

const recorded = `NAME                     READY   IP
cart-7d9c5b8f6d-x2x7k    1/1     10.244.2.8
cart-7d9c5b8f6d-zzkl4    1/1     10.244.3.6
mail-5b8f6d7d9c-2x7kx    0/1     10.244.3.7
gone for 12 s`;
const now = `NAME                     READY   IP
cart-6c4b9d7f55-bbbbb    1/1     10.244.1.4
cart-6c4b9d7f55-ccccc    1/1     10.244.1.5
mail-58d7bc9f4d-ddddd    0/1     10.244.1.6
gone for 31 s`;

test("names and addresses of a recording are carried over to those of the run, and nothing else", () => {
  const names = namesOfThisRun([[recorded, now]]);
  const command =
    "kubectl exec cart-7d9c5b8f6d-zzkl4 -- ping -c 12 10.244.3.7; kubectl get rs cart-7d9c5b8f6d web-0";
  expect(inThisRun(command, names)).toBe(
    "kubectl exec cart-6c4b9d7f55-ccccc -- ping -c 12 10.244.1.6; kubectl get rs cart-7d9c5b8f6d web-0",
  );
});

test("a ReplicaSet is known by where it is named itself", () => {
  const names = namesOfThisRun([["rs/cart-7d9c5b8f6d scaled", "rs/cart-6c4b9d7f55 scaled"]]);
  expect(inThisRun("kubectl get rs cart-7d9c5b8f6d", names)).toBe("kubectl get rs cart-6c4b9d7f55");
});

test("lines that say something else carry nothing over", () => {
  expect(namesOfThisRun([["cart-7d9c5b8f6d-x2x7k is up", "cart-6c4b9d7f55-bbbbb is down"]]).size).toBe(0);
});
