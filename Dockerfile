# The image of liqo-ts, with the content of `npm run image`: the build stage writes the same files into a folder.
# For another architecture: docker build --platform linux/arm64 --tag liqo:dev .
ARG NODE_VERSION=20.20.2
FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm run build \
 && npx tsx packages/images/bin/pack.ts liqo /image --bundle dist/liqo.mjs --bill dist/liqo.spdx.json --unpacked

FROM scratch
COPY --from=build /image/ /
ENV PATH=/usr/bin
USER 65532:65532
ENTRYPOINT ["/usr/bin/liqo"]
