package mockreceiver_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

// unread is how many bytes lie in the receive queue of the IPv4 connection from local to remote, by Linux's table of sockets.
func unread(t testing.TB, local, remote net.Addr) (n int64) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the queues of sockets are read from /proc, which only Linux has")
	}
	f, err := os.Open("/proc/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := kernelAddr(local) + " " + kernelAddr(remote)
	for s := bufio.NewScanner(f); s.Scan(); {
		// sl local_address rem_address st tx_queue:rx_queue …
		fields := strings.Fields(s.Text())
		if len(fields) < 5 || fields[1]+" "+fields[2] != want {
			continue
		}
		_, queue, _ := strings.Cut(fields[4], ":")
		if _, err := fmt.Sscanf(queue, "%x", &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// kernelAddr is an IPv4 address as that table writes it: the four bytes as a number of this machine's order.
func kernelAddr(a net.Addr) string {
	tcp := a.(*net.TCPAddr)
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(tcp.IP.To4()), tcp.Port)
}
