// SPDX-License-Identifier: Apache-2.0

package generate

// resources is a ResourceRequirements.
func (d dice) resources() object {
	requirements := object{}
	d.maybe(75, requirements, "requests", func() any { return d.resourceList() })
	d.maybe(35, requirements, "limits", func() any { return d.resourceList() })
	d.maybe(2, requirements, "claims", func() any { return list{object{"name": "claim"}} })
	if !d.tame && d.chance(0.3) {
		requirements[pick(d, "requests", "limits")] = nil
	}
	return requirements
}

func (d dice) resourceList() object {
	amounts := object{}
	d.addAmount(70, amounts, "cpu")
	d.addAmount(60, amounts, "memory")
	d.addAmount(25, amounts, "nvidia.com/gpu")
	d.addAmount(5, amounts, "ephemeral-storage")
	d.addAmount(3, amounts, "hugepages-2Mi")
	d.addAmount(3, amounts, "example.com/dongle")
	return amounts
}

func (d dice) addAmount(percent float64, amounts object, name string) {
	d.maybe(percent, amounts, name, func() any { return d.quantity(name) })
}

func (d dice) container(name string) object {
	made := object{"name": name, "image": "registry.example/" + name}
	d.maybe(75, made, "resources", func() any { return d.resources() })
	d.maybe(20, made, "command", func() any { return list{"run", "it"} })
	d.maybe(15, made, "env", func() any { return list{object{"name": "COLOUR", "value": "blue"}} })
	return made
}

var initContainerNames = []string{"fetch", "warm", "proxy", "check", "seed"}

// initContainers has sidecars among them, in any place.
func (d dice) initContainers() list {
	var made list
	for _, name := range initContainerNames[:d.between(1, len(initContainerNames))] {
		container := d.container(name)
		d.maybe(45, container, "restartPolicy", func() any { return "Always" })
		made = append(made, container)
	}
	d.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
	return made
}

var schedulerNames = []string{
	"volcano", "kai-scheduler", "default-scheduler", "scheduler-plugins-scheduler", "other", "",
}

// podSpec has main as its main container.
func (d dice) podSpec(main string) object {
	containers := list{d.container(main)}
	if d.chance(15) {
		containers = append(containers, d.container("helper"))
	}
	if d.chance(4) {
		containers = append(list{d.container("front")}, containers...)
	}
	spec := object{"containers": containers}
	d.maybe(22, spec, "initContainers", func() any { return d.initContainers() })
	d.maybe(8, spec, "overhead", func() any { return d.resourceList() })
	d.maybe(9, spec, "resources", func() any { return d.resources() })
	d.maybe(15, spec, "priorityClassName", func() any {
		return pick(d, "high", "low", "system-node-critical", "system-cluster-critical", "")
	})
	d.maybe(10, spec, "schedulerName", func() any {
		return pick(d, schedulerNames...)
	})
	d.maybe(5, spec, "runtimeClassName", func() any { return "gvisor" })
	d.maybe(5, spec, "nodeSelector", func() any { return object{"disk": "fast"} })
	d.maybe(4, spec, "tolerations", func() any { return list{object{"key": "gpu", "operator": "Exists"}} })
	return spec
}

// marks is the metadata of a pod template, now and then with a mark of ours
// already in it.
func (d dice) marks() object {
	metadata := object{}
	d.maybe(50, metadata, "labels", func() any {
		labels := object{pick(d, "app", "team", "kai.scheduler/queue"): pick(d, "a", "b")}
		d.maybe(6, labels, "scheduling.x-k8s.io/pod-group", func() any {
			return pick(d, "other", "train", "")
		})
		d.maybe(3, labels, ancestorLabel, func() any { return "trainer" })
		return labels
	})
	d.maybe(35, metadata, "annotations", func() any {
		annotations := object{pick(d, "note", "owner"): "x"}
		d.maybe(6, annotations, "scheduling.k8s.io/group-name", func() any {
			return pick(d, "other", "train", "")
		})
		return annotations
	})
	return metadata
}
