# The executor: Node, and what playbooks and probes are run with.
# The bases come from k8s/images/pins.env, by digest; without them nothing is built.
ARG NODE
ARG DEBIAN

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs ./libs
COPY services ./services
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund -w services/executor
RUN find libs services -name '*.test.ts' -delete && rm -rf node_modules/.cache

FROM ${DEBIAN}
LABEL org.opencontainers.image.source="https://github.com/microremed/microremed" \
      org.opencontainers.image.title="microremed-executor"
# kubectl comes from the next Debian: this one's is from 2021. apt checks both by the archive's signatures.
COPY k8s/images/apt /etc/apt
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ansible bubblewrap ca-certificates kubectl python3-kubernetes \
 && find /usr/lib/python3/dist-packages/ansible_collections -mindepth 1 -maxdepth 1 \
      ! -name kubernetes ! -name community ! -name ansible ! -name __pycache__ -exec rm -rf {} + \
 && find /usr/lib/python3/dist-packages/ansible_collections/community -mindepth 1 -maxdepth 1 \
      ! -name general ! -name __pycache__ -exec rm -rf {} + \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc/* /usr/share/man/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production
USER 10001:10001
CMD ["node", "services/executor/src/main.ts"]
