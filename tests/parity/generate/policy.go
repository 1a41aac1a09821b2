// SPDX-License-Identifier: Apache-2.0

package generate

// mlPolicy returns nil for none and a policy without source for "".
func (d dice) mlPolicy(source string) object {
	if source == "none" {
		return nil
	}
	policy := object{}
	d.maybe(60, policy, "numNodes", func() any { return d.numNodes(source == "mpi") })
	if source != "" {
		policy[source] = d.mlSource(source)
	}
	if d.chance(0.4) {
		policy[pick(d, "jax", "xgboost", "torch")] = object{}
	}
	return policy
}

var badNumbers = []any{
	"2", number("2.5"), true, number("2147483648"), number("4294967297"), number("1e20"), list{},
}

// numNodes stays small where the operator writes a line for each pod.
func (d dice) numNodes(small bool) any {
	switch {
	case d.chance(4):
		return pick[any](d, 0, 0, -1, -3, nil, number("2.0"), number("1e1"))
	case d.chance(0.6):
		return pick(d, badNumbers...)
	case !small && d.chance(1):
		return pick[any](d, 2147483647, 2147483646, 1073741824)
	case d.chance(3):
		return pick[any](d, 100, 512, 1000)
	}
	return d.between(1, 8)
}

func (d dice) mlSource(source string) object {
	policy := object{}
	switch source {
	case "torch":
		d.maybe(2, policy, "envInjection", func() any {
			target := object{"jobName": "node", "containerNames": list{pick(d, "helper", "fetch", "node")}}
			return object{"targets": list{target}}
		})
	case "mpi":
		d.maybe(60, policy, "runLauncherAsNode", func() any { return d.chance(70) })
		d.maybe(40, policy, "numProcPerNode", func() any { return pick[any](d, 1, 2, 8, nil) })
		d.maybe(40, policy, "mpiImplementation", func() any {
			return pick[any](d, "OpenMPI", "OpenMPI", "OpenMPI", "OpenMPI", nil)
		})
		d.maybe(1, policy, "mpiImplementation", func() any { return pick(d, "", "Intel") })
		d.maybe(30, policy, "sshAuthMountPath", func() any { return "/home/mpi/.ssh" })
	case "flux":
		d.maybe(30, policy, "numProcPerNode", func() any { return pick[any](d, 1, 2, 4) })
		d.maybe(1, policy, "numProcPerNode", func() any { return 0 })
	}
	return policy
}

func (d dice) podGroupPolicy() any {
	policy := object{}
	switch throw := d.IntN(1000); {
	case throw < 440:
		policy["coscheduling"] = d.coscheduling()
	case throw < 940:
		policy["volcano"] = d.volcano()
	case throw < 960:
		policy["coscheduling"] = d.coscheduling()
		policy["volcano"] = d.volcano()
	case throw < 980:
		policy[pick(d, "coscheduling", "volcano")] = nil
	case throw < 985:
		return nil
	case throw < 990:
		policy[pick(d, "coscheduling", "volcano")] = pick[any](d, "on", true, list{})
	}
	d.maybe(1.5, policy, pick(d, "kai", "kueue"), func() any { return object{} })
	return policy
}

func (d dice) coscheduling() object {
	policy := object{}
	d.maybe(60, policy, "scheduleTimeoutSeconds", func() any { return d.timeout() })
	d.maybe(1, policy, "unknown", func() any { return 1 })
	return policy
}

func (d dice) timeout() any {
	if d.chance(1) {
		return pick[any](d, "60", number("2147483648"), number("0.5"))
	}
	return pick[any](d, 0, 1, 30, 60, 300, 3600, -1, -30, 2147483647, nil, number("60.0"), number("1e2"))
}

func (d dice) volcano() object {
	policy := object{}
	d.maybe(45, policy, "networkTopology", func() any {
		if d.chance(4) {
			return nil
		}
		topology := object{}
		d.maybe(60, topology, "mode", func() any { return d.topologyMode() })
		d.maybe(60, topology, "highestTierAllowed", func() any { return d.topologyTier() })
		return topology
	})
	d.maybe(1, policy, "queue", func() any { return "ignored" })
	return policy
}

func (d dice) topologyMode() any {
	if d.chance(2) {
		return pick[any](d, "", "Hard", "any", 1)
	}
	return pick[any](d, "hard", "soft", "soft", nil)
}

func (d dice) topologyTier() any {
	if d.chance(1) {
		return pick[any](d, "1", number("1.5"))
	}
	return pick[any](d, 0, 1, 2, 3, -1, nil, number("2.0"), 2147483648, number("9007199254740993"))
}
