// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// A process is one of the servers. The kernel kills it if this program ends.
type process struct {
	name    string
	log     string
	command *exec.Cmd
	ended   chan error
}

// start runs a program in the background. Its output goes to NAME.log in the folder. It must be
// called from the main goroutine: Pdeathsig watches the thread that starts a child.
func start(folder, name, path string, environment []string, arguments ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(folder, name+".log"), ended: make(chan error, 1)}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p.command = exec.Command(path, arguments...)
	p.command.Dir = folder
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Env = append(os.Environ(), environment...)
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	go func() { p.ended <- p.command.Wait() }()
	return p, nil
}

// stop kills the process, if it has not ended. All state of a cluster is thrown away, so nothing
// needs a graceful end.
func (p *process) stop() {
	_ = p.command.Process.Kill()
	p.ended <- <-p.ended // for a second stop
}

// hasEnded tells whether the process has ended, and how.
func (p *process) hasEnded() (error, bool) {
	select {
	case err := <-p.ended:
		p.ended <- err
		return err, true
	default:
		return nil, false
	}
}

// excuse is the end of the log, for messages.
func (p *process) excuse() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s:\n%s", p.name, tail(string(text), 12))
}

// ended or ready: waitFor asks until the answer is yes, the process has ended or time is up.
func (p *process) waitFor(limit time.Duration, ready func() bool) error {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); {
		if ready() {
			return nil
		}
		if err, ended := p.hasEnded(); ended {
			return fmt.Errorf("%s ended: %v\n%s", p.name, err, p.excuse())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s is not ready after %s\n%s", p.name, limit, p.excuse())
}

// freePorts finds free ports on the loopback interface. Linux gives connections those from 32768 on:
// they could be taken before a server listens, or while it is started again.
func freePorts(count int) ([]int, error) {
	var ports []int
	var last error
	for tries := 0; len(ports) < count && tries < 1000; tries++ {
		port := 10000 + rand.IntN(22000)
		listener, err := net.Listen("tcp", loopback(port))
		if last = err; err != nil {
			continue
		}
		defer func() { _ = listener.Close() }()
		ports = append(ports, port)
	}
	if len(ports) < count {
		return nil, fmt.Errorf("no free port: %w", last)
	}
	return ports, nil
}

func loopback(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

func isListening(port int) bool {
	connection, err := net.DialTimeout("tcp", loopback(port), time.Second)
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}
