module libgang.dev/tests/cluster

go 1.26.0

require (
	libgang.dev/tests/overlay v0.1.0
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect

replace libgang.dev/tests/overlay => ../overlay
