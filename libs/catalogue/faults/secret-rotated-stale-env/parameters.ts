import { z } from "@microremed/catalogue";

const password = z.string().regex(/^\w{4,40}$/);

export const parameters = z.object({
  account: z
    .string()
    .regex(/^[a-z]{3,20}$/)
    .default("storefront")
    .describe("the target's account at its datastore"),
  before: password.default("wT3kqLm9").describe("its password until the rotation"),
  after: password.default("Hn7vPz2c").describe("its password from then on"),
});
