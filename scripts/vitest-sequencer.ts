import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The conformance suite is one long file: started last, it would leave the other worker idle for all its time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification): boolean => project.name === "conformance";
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
