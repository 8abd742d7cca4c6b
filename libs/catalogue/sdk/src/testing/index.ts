export { aGradeContext, aShop } from "./a-grade-context.ts";
export { sampleOf, shareOf } from "./sample.ts";
