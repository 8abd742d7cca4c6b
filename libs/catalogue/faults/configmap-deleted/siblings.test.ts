import { expect, test } from "vitest";
import { differingParts } from "./siblings.ts";

test.each([
  ["mongodb-geo", "mongodb-rate", "geo", "rate"],
  ["media-mongodb", "post-storage-mongodb", "media", "post-storage"],
  ["user-mongodb", "user-timeline-mongodb", "mongodb", "timeline-mongodb"],
  ["cart", "shop", "cart", "shop"],
])("the names %s and %s differ in %s and %s", (one, other, own, others) => {
  expect(differingParts(one, other)).toEqual([own, others]);
});
