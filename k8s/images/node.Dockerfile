# The Node programs: the services, and with WORKSPACES=libs/surface/cli the command line with the embedded clusters.
# The bases come from k8s/images/pins.env, by digest; without them nothing is built.
ARG NODE
ARG DEBIAN

FROM ${NODE} AS build
ARG WORKSPACES="services/scheduler services/injector services/remediator services/verifier services/gateway"
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs ./libs
COPY services ./services
COPY k8s/target ./k8s/target
# Only what these workspaces use; the lock file's hashes decide what comes.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund $(for one in $WORKSPACES; do printf ' -w %s' "$one"; done)
RUN find libs services -name '*.test.ts' -delete && rm -rf node_modules/.cache

FROM ${DEBIAN}
LABEL org.opencontainers.image.source="https://github.com/microremed/microremed" \
      org.opencontainers.image.title="microremed"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production
USER 10001:10001
CMD ["node", "libs/surface/cli/bin/microremed.mjs", "--help"]
