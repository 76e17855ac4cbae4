// Package container runs senders in containers. It is the one place that knows a container engine: Docker, on Linux and in
// Docker Desktop, or what answers like it (DOCKER_HOST).
//
// The sender keeps its container over a stop and a kill, and with it its volumes and all that it wrote; Close removes all
// of it. Ports are published on loopback, on free ports that change with each start. What a harness leaves that dies
// meanwhile is removed by the library's reaper, a container of its own, unless TESTCONTAINERS_RYUK_DISABLED is true.
package container
