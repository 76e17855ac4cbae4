package mockreceiver

// Headroom is how many bytes a process that does nothing but receive should allocate at its start and keep without ever touching
// them, so that they take no memory. What lives in a receiver is some 5 MB, so that without them the garbage collector runs
// forty times a second under load, which takes a tenth of the processor's time. They add so much to the garbage that may lie
// between two runs, whatever else lives; a percentage would let a full journal in memory grow to several times its size.
const Headroom = 16 << 20
