# syntax=docker/dockerfile:1
# A small image with the single executable, for users without a name, read-only roots and no shell. The release script puts the files
# that are copied here into release/docker:
#
#   docker build --build-arg BASE=IMAGE@sha256:DIGEST --tag NAME:VERSION release/docker
#
# BASE has no default, because a tag is not always the same image. It is a base with glibc and no more, such as
# gcr.io/distroless/base-debian12:nonroot. To find its digest: docker buildx imagetools inspect IMAGE
ARG BASE
FROM ${BASE}

# amd64 or arm64, set by BuildKit.
ARG TARGETARCH

COPY --chmod=0644 LICENSE THIRD-PARTY-LICENSES.txt /usr/share/doc/pixelctl/
COPY --chmod=0755 ${TARGETARCH}/pixelctl /usr/local/bin/pixelctl
# An empty folder, so that the volume belongs to the user.
COPY --chown=65532:65532 --chmod=0700 config/ /config/

# Profiles and tokens are in the volume; an image never contains any. The cache may be missing: /tmp can be a tmpfs.
ENV HOME=/config \
    PIXELCTL_CONFIG_DIR=/config \
    XDG_CACHE_HOME=/tmp/cache
VOLUME /config
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/pixelctl"]
