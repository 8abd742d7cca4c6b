import { ExperimentId } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { createReport, type Report, renderHtml, renderMarkdown, renderTable } from "@microremed/scoring";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";

/** A report is made of all episodes at once, in memory. */
const mostEpisodes = 5_000;
/** Made at once by one replica. */
const atOnce = 2;
/** Characters of a line. */
const width = 120;

const formats = {
  json: { type: "application/json; charset=utf-8", render: (report: Report) => JSON.stringify(report) },
  table: { type: "text/plain; charset=utf-8", render: (report: Report) => renderTable(report, width) },
  markdown: { type: "text/markdown; charset=utf-8", render: renderMarkdown },
  html: {
    type: "text/html; charset=utf-8",
    render: (report: Report) => renderHtml([report], `MicroRemed: experiment ${report.experimentId}`),
  },
} as const;
const Format = z.enum(Object.keys(formats) as (keyof typeof formats)[]);

/** The report of an experiment, as `microremed report` makes it. */
export function addReports(app: App, { client }: Pick<RangeDeps, "client">): void {
  let making = 0;
  app.route({
    config: { access: researchers },
    method: "GET",
    url: "/experiments/:id/report",
    schema: {
      tags: ["experiments"],
      summary: "Report of an experiment",
      description: `Rates with intervals, by task, model and method. Of at most ${mostEpisodes} episodes; \`microremed report\` makes larger ones.`,
      params: z.strictObject({ id: ExperimentId }),
      querystring: z.strictObject({ format: Format.default("json") }),
      response: {
        200: {
          description: "The report, in the format that was asked for",
          content: { "application/json": { schema: z.record(z.string(), z.unknown()) } },
        },
      },
    },
    handler: async ({ params, query }, reply) => {
      const { episodes } = await client.experimentRecord(params.id);
      if (episodes > mostEpisodes)
        throw terminal(
          "invalid-request",
          `${params.id} has ${episodes} episodes, and a report here has at most ${mostEpisodes}; use \`microremed report ${params.id}\``,
        );
      if (making >= atOnce) throw busy();
      making++;
      try {
        const { type, render } = formats[query.format];
        const whole = await client.experiment(params.id);
        const text = render(createReport(whole.experiment, whole.episodes));
        // A page with words of models: it may load and run nothing.
        reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
        return reply
          .type(type)
          .serializer(String)
          .send(text as never);
      } finally {
        making--;
      }
    },
  });
}

function busy(): AppError {
  const message = `${atOnce} reports are being made here already; ask again in a moment`;
  return new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: 2_000 });
}
