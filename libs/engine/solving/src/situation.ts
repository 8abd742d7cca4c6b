import { type FailureReport, failureReport } from "@microremed/catalogue";

/** What every agent gives every model: what is known of the incident, and the task's question. */
export const situation = (report: FailureReport, question: string): string => `# Failure report
${failureReport(report)}

${question}`;
