# hookassay alone: one static binary. `make release` builds what is copied here.
#
#   make release && docker build -t hookassay .
#   docker run --rm --network host -v "$PWD:/work" hookassay run -c hookassay.yaml
FROM scratch
ARG TARGETARCH=amd64
# Senders that run elsewhere are reached over https; this is where the program looks for authorities: mount them if need be.
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
COPY dist/hookassay-linux-${TARGETARCH} /hookassay
# A folder for what a run keeps while it goes on, and the one where reports are written.
WORKDIR /tmp
WORKDIR /work
ENTRYPOINT ["/hookassay"]
