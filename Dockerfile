# Countersign in a container: the service (the default), and Node-RED with its nodes (--target node-red).
#   npm pack && mv countersign-node-red-document-signature-*.tgz countersign.tgz
#   docker build -t countersign .
# The package is installed from the packed file; what it depends on, from the lockfile.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS dependencies
WORKDIR /opt/countersign
COPY package.json package-lock.json ./
# pg is for PostgreSQL: optional in the package, and in the lockfile for its tests.
RUN npm pkg set "dependencies.pg=$(npm pkg get devDependencies.pg | tr -d '"')" && npm pkg delete devDependencies.pg \
 && npm install --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf /root/.npm
COPY countersign.tgz /tmp/
RUN tar -xzf /tmp/countersign.tgz --strip-components=1 --exclude=package/docs/pictures

FROM ${BASE} AS node-red
ARG NODE_RED_VERSION=5
WORKDIR /opt/node-red
COPY countersign.tgz /tmp/
RUN npm init --yes > /dev/null \
 && npm install "node-red@${NODE_RED_VERSION}" /tmp/countersign.tgz --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf /root/.npm /tmp/countersign.tgz \
 && mkdir --mode 0700 /data && chown 10001:10001 /data
ENV NODE_ENV=production HOME=/data
VOLUME /data
EXPOSE 1880
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:1880/').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/node-red/node_modules/node-red/red.js", "--userDir", "/data"]

FROM ${BASE} AS service
COPY --from=dependencies /opt/countersign /opt/countersign
RUN ln -s /opt/countersign/bin/countersign.cjs /usr/local/bin/countersign \
 && mkdir --mode 0700 /data && chown 10001:10001 /data
# A folder below the volume: the service closes its data folder to other users, and the root of a volume may belong to root.
ENV NODE_ENV=production \
    HOME=/data \
    COUNTERSIGN_HOST=0.0.0.0 \
    COUNTERSIGN_DATA=/data/countersign \
    NODE_OPTIONS=--max-semi-space-size=16 \
    MALLOC_MMAP_THRESHOLD_=65536 \
    MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 8090
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COUNTERSIGN_PORT || 8090}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["countersign"]
CMD ["serve"]
