// SPDX-License-Identifier: Apache-2.0

package generate

import "strconv"

// Arithmetic is one operation on quantities.
type Arithmetic struct{ Op, A, B string }

var operations = []string{"string", "canonical", "add", "sub", "mul", "cmp", "reread"}

var factors = []int64{0, 1, 1, 2, 3, 4, 7, 8, 10, 100, 512, 1000, 1024, 10000, 2147483647, 1 << 40, -1, -3}

// Quantities makes an operation and its operands.
func Quantities(seed, index uint64) Arithmetic {
	d := newDice(seed, index)
	made := Arithmetic{Op: pick(d, operations...), A: d.quantityText()}
	switch made.Op {
	case "add", "sub", "cmp":
		made.B = d.quantityText()
	case "mul", "reread":
		made.B = strconv.FormatInt(pick(d, factors...), 10)
	}
	return made
}

// PodSpec makes a pod spec as JSON.
func PodSpec(seed, index uint64) []byte {
	d := newTameDice(seed, index)
	return encode(d.podSpec("node"))
}

// Merge makes a JobSet spec and a patch for it, both as JSON.
func Merge(seed, index uint64) (spec, patch []byte) {
	d := newTameDice(seed, index)
	jobs, _ := d.layouts()
	base := d.jobSetSpec(jobs)
	for _, job := range base["replicatedJobs"].(list) {
		d.addKeyedLists(podSpecOf(job.(object)), true)
	}
	changes := d.patchSpec(base)
	for _, job := range changes["replicatedJobs"].(list) {
		if pod := podSpecOf(job.(object)); pod != nil {
			d.addKeyedLists(pod, false)
		}
	}
	return encode(base), encode(changes)
}

// podSpecOf is the pod spec in a replicated job or in a patch of one, or nil.
func podSpecOf(job object) object {
	node := job
	for _, key := range []string{"template", "spec", "template", "spec"} {
		next, ok := node[key].(object)
		if !ok {
			return nil
		}
		node = next
	}
	return node
}

// addKeyedLists adds lists that merge by a key of their own, and some that
// are replaced whole.
func (d dice) addKeyedLists(pod object, base bool) {
	d.maybe(40, pod, "volumes", func() any { return d.volumes() })
	d.maybe(20, pod, "imagePullSecrets", func() any { return d.named("pull", "mirror", "other") })
	d.maybe(20, pod, "schedulingGates", func() any { return d.named("a.io/x", "b.io/y", "c.io/z") })
	d.maybe(20, pod, "tolerations", func() any {
		return list{object{"key": pick(d, "gpu", "spot"), "operator": "Exists"}, object{"operator": "Exists"}}
	})
	d.maybe(20, pod, "nodeSelector", func() any { return object{pick(d, "zone", "disk"): pick(d, "a", "b")} })
	d.maybe(15, pod, "affinity", func() any { return d.affinity() })
	d.maybe(15, pod, "securityContext", func() any {
		return object{pick(d, "runAsUser", "fsGroup"): d.between(0, 9)}
	})
	if base {
		d.maybe(10, pod, "hostAliases", func() any {
			return list{object{"ip": "10.0.0.1", "hostnames": list{"a"}}}
		})
	}
	for _, key := range []string{"containers", "initContainers"} {
		containers, _ := pod[key].(list)
		for _, container := range containers {
			d.addContainerLists(container.(object))
		}
	}
}

func (d dice) addContainerLists(container object) {
	d.maybe(30, container, "env", func() any {
		var variables list
		for _, name := range d.some("A", "B", "C", "D") {
			variables = append(variables, object{"name": name, "value": pick(d, "1", "2", "")})
		}
		return variables
	})
	d.maybe(30, container, "volumeMounts", func() any {
		var mounts list
		for _, path := range d.some("/a", "/b", "/c") {
			mounts = append(mounts, object{"name": pick(d, "data", "tmp", "model"), "mountPath": path})
		}
		return mounts
	})
	d.maybe(15, container, "securityContext", func() any {
		id := pick(d, "runAsUser", "runAsGroup")
		return object{id: d.between(0, 9), "readOnlyRootFilesystem": d.chance(50)}
	})
}

func (d dice) volumes() list {
	var volumes list
	for _, name := range d.some("data", "tmp", "model") {
		volume := object{"name": name}
		switch d.IntN(3) {
		case 0:
			volume["emptyDir"] = object{}
		case 1:
			volume["emptyDir"] = object{"sizeLimit": pick(d, "1Gi", "1.5Gi"), "medium": pick(d, "", "Memory")}
		case 2:
			volume["configMap"] = object{"name": pick(d, "one", "two")}
		}
		volumes = append(volumes, volume)
	}
	return volumes
}

func (d dice) affinity() object {
	term := object{"matchExpressions": list{object{"key": pick(d, "zone", "disk"), "operator": "Exists"}}}
	node := object{}
	d.maybe(60, node, "requiredDuringSchedulingIgnoredDuringExecution", func() any {
		return object{"nodeSelectorTerms": list{term}}
	})
	d.maybe(60, node, "preferredDuringSchedulingIgnoredDuringExecution", func() any {
		return list{object{"weight": d.between(1, 9), "preference": term}}
	})
	return object{"nodeAffinity": node}
}

func (d dice) named(names ...string) list {
	var items list
	for _, name := range d.some(names...) {
		items = append(items, object{"name": name})
	}
	return items
}

// some picks at least one of the names, in any order.
func (d dice) some(names ...string) []string {
	d.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:d.between(1, len(names))]
}
