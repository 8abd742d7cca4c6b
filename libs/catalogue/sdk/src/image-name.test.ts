import { expect, test } from "vitest";
import { isSameImage, otherImageName } from "./image-name.ts";

test("an image of the usual registry has a second name, which is the same image", () => {
  expect(otherImageName("busybox:1.35")).toBe("docker.io/library/busybox:1.35");
  expect(otherImageName("codewisdom/ts-ui-dashboard:1.0.1")).toBe(
    "docker.io/codewisdom/ts-ui-dashboard:1.0.1",
  );
  expect(otherImageName("gcr.io/samples/cart:v1")).toBeUndefined();
  expect(otherImageName("localhost/cart")).toBeUndefined();
  expect(isSameImage("busybox:1.35", "docker.io/library/busybox:1.35")).toBe(true);
  expect(isSameImage("busybox:1.35", "busybox:1.36")).toBe(false);
  expect(isSameImage("gcr.io/samples/cart:v1", "samples/cart:v1")).toBe(false);
  expect(isSameImage(undefined, "busybox:1.35")).toBe(false);
});
