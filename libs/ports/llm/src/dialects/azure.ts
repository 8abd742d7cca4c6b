import type { Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";

/**
 * Azure OpenAI: the key goes into `api-key`. With an `apiVersion` the deployment is a part of the path; without one the
 * base URL is that of the v1 API (`https://<resource>.openai.azure.com/openai/v1`), which needs neither.
 */
export const azure: Dialect = {
  ...openai,
  name: "azure",
  connect: ({ baseUrl, apiKey, model, apiVersion }) => ({
    baseUrl:
      apiVersion === null
        ? baseUrl
        : `${baseUrl.replace(/\/openai$/, "")}/openai/deployments/${encodeURIComponent(model)}`,
    headers: { authorization: null, ...(apiKey !== null && { "api-key": apiKey }) },
    query: apiVersion === null ? {} : { "api-version": apiVersion },
  }),
};
