// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What a minor of Kubernetes needs for gangs of its own.
type minorFacts struct {
	runtimeConfig string
	gates         string
	workloads     []string // the served versions of the Workload API, newest first
}

var minors = map[string]minorFacts{
	"35": {"scheduling.k8s.io/v1alpha1=true", "GenericWorkload=true,GangScheduling=true",
		[]string{"v1alpha1"}},
	"36": {"scheduling.k8s.io/v1alpha2=true",
		"GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true," +
			"TopologyAwareWorkloadScheduling=true,DRAWorkloadResourceClaims=true,WorkloadWithJob=true",
		[]string{"v1alpha2"}},
	"37": {"scheduling.k8s.io/v1alpha3=true,scheduling.k8s.io/v1beta1=true",
		"GenericWorkload=true,DRAWorkloadResourceClaims=true,TopologyAwareWorkloadScheduling=true," +
			"CompositePodGroup=true,PodGroupPreemptionPolicy=true,WorkloadWithJob=true",
		[]string{"v1beta1", "v1alpha3"}},
}

// withoutJobGangs starts servers without an alpha gate that is off by default: the Job controller
// makes a second gang of each Job with it. What it returns puts the gate back.
func (s *session) withoutJobGangs() func() {
	usual := minors[s.minor]
	plain := usual
	plain.gates = strings.ReplaceAll(usual.gates, "WorkloadWithJob=true", "WorkloadWithJob=false")
	minors[s.minor] = plain
	return func() { minors[s.minor] = usual }
}

// A cluster is a control plane with everything that runs beside it.
type cluster struct {
	minor, folder string
	binaries      string
	client        *client
	certificates  *certificates
	kubeconfig    string
	processes     []*process
	server        *process
	arguments     []string // of the server
	environment   []string // of the programs that are started next
	closers       []func()
}

// startCluster starts etcd and the API server.
func startCluster(minor, binaries string) (*cluster, error) {
	folder, err := os.MkdirTemp("", "cluster-")
	if err != nil {
		return nil, err
	}
	c := &cluster{minor: minor, folder: folder, binaries: binaries}
	if err := c.startServer(); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *cluster) stop() {
	for _, close := range c.closers {
		close()
	}
	for i := len(c.processes) - 1; i >= 0; i-- {
		c.processes[i].stop()
	}
	if os.Getenv("CLUSTER_KEEP_LOGS") == "" {
		_ = os.RemoveAll(c.folder)
	} else {
		say("the logs are in %s", c.folder)
	}
}

func (c *cluster) run(name, path string, arguments ...string) (*process, error) {
	environment := []string{"KUBECONFIG=" + c.kubeconfig, "TMPDIR=" + c.folder}
	environment = append(environment, c.environment...)
	p, err := start(c.folder, name, path, environment, arguments...)
	if err == nil {
		c.processes = append(c.processes, p)
	}
	return p, err
}

func (c *cluster) startServer() error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	if c.certificates, err = newCertificates(c.folder); err != nil {
		return err
	}
	if err := c.writeAccess(ports[2]); err != nil {
		return err
	}
	control := program(c.binaries, "kubernetes")
	etcd, err := c.run("etcd", control, "etcd", filepath.Join(c.folder, "data"), loopback(ports[0]),
		loopback(ports[1]))
	if err != nil {
		return err
	}
	if err := etcd.waitFor(time.Minute, func() bool { return isListening(ports[0]) }); err != nil {
		return err
	}
	if _, err := c.writeFile("audit.yaml", auditPolicy); err != nil {
		return err
	}
	c.arguments = c.serverArguments(ports[0], ports[2])
	return c.runServer()
}

func (c *cluster) runServer() error {
	var err error
	c.server, err = c.run("kube-apiserver", program(c.binaries, "kubernetes"), c.arguments...)
	if err != nil {
		return err
	}
	return c.server.waitFor(3*time.Minute, c.isReady)
}

// restartServer kills the API server and starts it again after a while.
func (c *cluster) restartServer(pause time.Duration) error {
	c.server.stop()
	time.Sleep(pause)
	return c.runServer()
}

func (c *cluster) serverArguments(etcd, port int) []string {
	facts := minors[c.minor]
	return []string{
		"kube-apiserver", "--etcd-servers=http://" + loopback(etcd),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--endpoint-reconciler-type=none",
		"--tls-cert-file=" + c.certificates.certificate,
		"--tls-private-key-file=" + c.certificates.key,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.certificates.key,
		"--service-account-signing-key-file=" + c.certificates.key,
		"--token-auth-file=" + filepath.Join(c.folder, "tokens"), "--authorization-mode=RBAC",
		"--disable-admission-plugins=ServiceAccount", "--service-cluster-ip-range=10.0.0.0/16",
		"--max-requests-inflight=0", "--max-mutating-requests-inflight=0",
		"--enable-priority-and-fairness=false",
		"--runtime-config=" + facts.runtimeConfig, "--feature-gates=" + facts.gates,
		"--audit-policy-file=" + filepath.Join(c.folder, "audit.yaml"),
		"--audit-log-path=" + filepath.Join(c.folder, "audit.log"),
	}
}

// writeAccess writes what clients need: the token and a kubeconfig.
func (c *cluster) writeAccess(port int) error {
	address := "https://" + loopback(port)
	c.client = newClient(address, c.certificates)
	tokens := token + ",administrator,administrator,system:masters\n" +
		operatorToken + "," + operatorUser + ",operator,system:serviceaccounts\n" + adapterTokens()
	err := os.WriteFile(filepath.Join(c.folder, "tokens"), []byte(tokens), 0o600)
	if err == nil {
		c.kubeconfig, err = c.writeKubeconfig("kubeconfig", token)
	}
	return err
}

// writeKubeconfig writes the access of one user.
func (c *cluster) writeKubeconfig(name, token string) (string, error) {
	return c.writeFile(name, fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: %q, certificate-authority: %q}
users:
- name: u
  user: {token: %s}
contexts:
- name: c
  context: {cluster: c, user: u}
current-context: c
`, c.client.address, c.certificates.certificate, token))
}

func newClient(address string, certificates *certificates) *client {
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: certificates.pool}, MaxIdleConnsPerHost: 32,
	}
	return &client{
		address: address, http: &http.Client{Transport: transport},
		plurals: map[string]string{}, scoped: map[string]bool{},
	}
}

func (c *cluster) isReady() bool {
	_, err := c.client.raw(2*time.Second, "GET", "/readyz", "", nil)
	return err == nil
}

// startControllers starts the controllers of Kubernetes that do not watch over real machines.
func (c *cluster) startControllers() error {
	_, err := c.run("kube-controller-manager", program(c.binaries, "kubernetes"),
		"kube-controller-manager", "--kubeconfig="+c.kubeconfig, "--leader-elect=false",
		"--secure-port=0", "--bind-address=127.0.0.1",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--concurrent-job-syncs=5",
		"--controllers=*,-node-lifecycle-controller,-taint-eviction-controller",
		"--feature-gates="+minors[c.minor].gates)
	return err
}

// allRun finds servers that ended soon after their start, as they do for a wrong flag.
func (c *cluster) allRun() error {
	time.Sleep(2 * time.Second)
	for _, p := range c.processes {
		if err, ended := p.hasEnded(); ended {
			return fmt.Errorf("%s ended: %v\n%s", p.name, err, p.excuse())
		}
	}
	return nil
}

// startScheduler starts the scheduler of Kubernetes itself.
func (c *cluster) startScheduler() error {
	_, err := c.run("kube-scheduler", program(c.binaries, "kubernetes"), "kube-scheduler",
		"--kubeconfig="+c.kubeconfig, "--leader-elect=false", "--secure-port=0",
		"--bind-address=127.0.0.1", "--kube-api-qps=500", "--kube-api-burst=1000",
		"--feature-gates="+minors[c.minor].gates)
	return err
}
