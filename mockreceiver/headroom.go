package mockreceiver

// Headroom is how many bytes a process that does nothing but receive should allocate at its start and keep without ever touching
// them, so that they take no memory. What lives in a receiver is some 5 MB, so that without them the garbage collector runs
// forty times a second under load. They add so much to the garbage that may lie between two runs, whatever else lives; a
// percentage would let a full journal in memory grow to several times its size. Four times as many would spare still more, and
// take a receiver with 200 000 attempts in its journal from 55 MiB of memory to 67.
const Headroom = 4 << 20

// SpareThreads is how many more threads than processors such a process should let run Go code. The writer and whoever carries
// over its log stand in system calls most of the time, and each keeps a place among the threads until the runtime has noticed,
// as does a thread that the system has put aside for another process: meanwhile what waits there is not run. On two
// processors, the requests of 64 connections had their slowest hundredth at 2 times that of a bare server, and then at 1.5 times;
// received in memory alone they came at 0.56 of its rate, and then at 0.70. More than two gain nothing.
const SpareThreads = 2

// MemoryLimit is how many bytes of memory such a process should ask the runtime to stay under (debug.SetMemoryLimit): the garbage
// collector then runs sooner, not only when what lives has doubled, which large bodies that come at once took to 350 MB. It is
// soft: what lives is never refused for it. What lives in a receiver is 10 MB, 48 MiB of bodies where nobody says otherwise, and
// 4 KB for each connection that has sent nothing yet; bodies hold no pointers, so that the collector costs little even where it has no
// room left. SQLite's pages and copies, some 40 MB at worst, are not counted in it, nor is the program itself.
const MemoryLimit = 96 << 20
