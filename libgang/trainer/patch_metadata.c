/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/patch_metadata.h"

/*
 * The tags patchStrategy and patchMergeKey of sigs.k8s.io/jobset v0.12.0 (JobSetSpec) and k8s.io/api v0.36.2 below
 * it. `merge,retainKeys` is a plain merge, because no patch carries the directive $retainKeys. Lists that are not
 * here are replaced whole.
 */
static const struct {
    struct slice list;
    struct slice key; /* empty: a list of scalars */
} patch_rules[] = {
    {SLICE_INIT("replicatedJobs"), SLICE_INIT("name")},
    {SLICE_INIT("dependsOn"), SLICE_INIT("name")},
    {SLICE_INIT("containers"), SLICE_INIT("name")},
    {SLICE_INIT("initContainers"), SLICE_INIT("name")},
    {SLICE_INIT("ephemeralContainers"), SLICE_INIT("name")},
    {SLICE_INIT("imagePullSecrets"), SLICE_INIT("name")},
    {SLICE_INIT("schedulingGates"), SLICE_INIT("name")},
    {SLICE_INIT("volumes"), SLICE_INIT("name")},
    {SLICE_INIT("resourceClaims"), SLICE_INIT("name")},
    {SLICE_INIT("hostAliases"), SLICE_INIT("ip")},
    {SLICE_INIT("topologySpreadConstraints"), SLICE_INIT("topologyKey")},
    {SLICE_INIT("env"), SLICE_INIT("name")},
    {SLICE_INIT("ports"), SLICE_INIT("containerPort")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("mountPath")},
    {SLICE_INIT("volumeDevices"), SLICE_INIT("devicePath")},
    {SLICE_INIT("ownerReferences"), SLICE_INIT("uid")},
    {SLICE_INIT("finalizers"), SLICE_INIT("")},
};

/*
 * Zeros that the Go types of a runtime patch (github.com/kubeflow/trainer/v2 v2.3.0) leave out, where a merge can
 * reach them. Everywhere else a zero is written and replaces what it meets.
 */
static const struct {
    struct slice parent;
    struct slice member;
} patch_omitted_zeros[] = {
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("fsType")},
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("partition")},
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("readOnly")},
    {SLICE_INIT("azureFile"), SLICE_INIT("readOnly")},
    {SLICE_INIT("cephfs"), SLICE_INIT("path")},
    {SLICE_INIT("cephfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("cephfs"), SLICE_INIT("secretFile")},
    {SLICE_INIT("cephfs"), SLICE_INIT("user")},
    {SLICE_INIT("cinder"), SLICE_INIT("fsType")},
    {SLICE_INIT("cinder"), SLICE_INIT("readOnly")},
    {SLICE_INIT("configMap"), SLICE_INIT("name")},
    {SLICE_INIT("configMapKeyRef"), SLICE_INIT("name")},
    {SLICE_INIT("emptyDir"), SLICE_INIT("medium")},
    {SLICE_INIT("env"), SLICE_INIT("value")},
    {SLICE_INIT("fc"), SLICE_INIT("fsType")},
    {SLICE_INIT("fc"), SLICE_INIT("readOnly")},
    {SLICE_INIT("fieldRef"), SLICE_INIT("apiVersion")},
    {SLICE_INIT("flexVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("flexVolume"), SLICE_INIT("readOnly")},
    {SLICE_INIT("flocker"), SLICE_INIT("datasetName")},
    {SLICE_INIT("flocker"), SLICE_INIT("datasetUUID")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("fsType")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("partition")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("readOnly")},
    {SLICE_INIT("gitRepo"), SLICE_INIT("directory")},
    {SLICE_INIT("gitRepo"), SLICE_INIT("revision")},
    {SLICE_INIT("glusterfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("image"), SLICE_INIT("pullPolicy")},
    {SLICE_INIT("image"), SLICE_INIT("reference")},
    {SLICE_INIT("iscsi"), SLICE_INIT("chapAuthDiscovery")},
    {SLICE_INIT("iscsi"), SLICE_INIT("chapAuthSession")},
    {SLICE_INIT("iscsi"), SLICE_INIT("fsType")},
    {SLICE_INIT("iscsi"), SLICE_INIT("iscsiInterface")},
    {SLICE_INIT("iscsi"), SLICE_INIT("readOnly")},
    {SLICE_INIT("metadata"), SLICE_INIT("generateName")},
    {SLICE_INIT("metadata"), SLICE_INIT("generation")},
    {SLICE_INIT("metadata"), SLICE_INIT("name")},
    {SLICE_INIT("metadata"), SLICE_INIT("namespace")},
    {SLICE_INIT("metadata"), SLICE_INIT("resourceVersion")},
    {SLICE_INIT("metadata"), SLICE_INIT("selfLink")},
    {SLICE_INIT("metadata"), SLICE_INIT("uid")},
    {SLICE_INIT("nfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("nodePublishSecretRef"), SLICE_INIT("name")},
    {SLICE_INIT("persistentVolumeClaim"), SLICE_INIT("readOnly")},
    {SLICE_INIT("photonPersistentDisk"), SLICE_INIT("fsType")},
    {SLICE_INIT("portworxVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("portworxVolume"), SLICE_INIT("readOnly")},
    {SLICE_INIT("quobyte"), SLICE_INIT("group")},
    {SLICE_INIT("quobyte"), SLICE_INIT("readOnly")},
    {SLICE_INIT("quobyte"), SLICE_INIT("tenant")},
    {SLICE_INIT("quobyte"), SLICE_INIT("user")},
    {SLICE_INIT("rbd"), SLICE_INIT("fsType")},
    {SLICE_INIT("rbd"), SLICE_INIT("keyring")},
    {SLICE_INIT("rbd"), SLICE_INIT("pool")},
    {SLICE_INIT("rbd"), SLICE_INIT("readOnly")},
    {SLICE_INIT("rbd"), SLICE_INIT("user")},
    {SLICE_INIT("resourceFieldRef"), SLICE_INIT("containerName")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("fsType")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("protectionDomain")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("readOnly")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("sslEnabled")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("storageMode")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("storagePool")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("volumeName")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("level")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("role")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("type")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("user")},
    {SLICE_INIT("secret"), SLICE_INIT("secretName")},
    {SLICE_INIT("secretKeyRef"), SLICE_INIT("name")},
    {SLICE_INIT("secretRef"), SLICE_INIT("name")},
    {SLICE_INIT("spec"), SLICE_INIT("volumeName")},
    {SLICE_INIT("storageos"), SLICE_INIT("fsType")},
    {SLICE_INIT("storageos"), SLICE_INIT("readOnly")},
    {SLICE_INIT("storageos"), SLICE_INIT("volumeName")},
    {SLICE_INIT("storageos"), SLICE_INIT("volumeNamespace")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("readOnly")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("subPath")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("subPathExpr")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("storagePolicyID")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("storagePolicyName")},
};

/* Lists that Go writes even when they are empty. */
static const struct slice patch_kept_lists[] = {
    SLICE_INIT("monitors"),
    SLICE_INIT("nodeSelectorTerms"),
    SLICE_INIT("sources"),
};

#define PATCH_COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct patch_rule
patch_rule_of(struct slice list)
{
    for (size_t i = 0; i < PATCH_COUNT(patch_rules); i++)
        if (slice_equal(patch_rules[i].list, list))
            return (struct patch_rule){
                patch_rules[i].key.len ? PATCH_MERGE_BY_KEY : PATCH_MERGE_SCALARS,
                patch_rules[i].key,
            };
    return (struct patch_rule){PATCH_REPLACE, NO_SLICE};
}

static bool
patch_is_kept_list(struct slice name)
{
    for (size_t i = 0; i < PATCH_COUNT(patch_kept_lists); i++)
        if (slice_equal(patch_kept_lists[i], name))
            return true;
    return false;
}

static bool
patch_is_zero(const struct node *value)
{
    int64_t number;

    switch (value->kind) {
    case NODE_STRING:
        return value->len == 0;
    case NODE_BOOL:
        return !node_is_true(value);
    case NODE_INT:
        return node_int(value, &number) && number == 0;
    default:
        return false;
    }
}

static bool
patch_omits_zero(struct slice parent, struct slice member)
{
    for (size_t i = 0; i < PATCH_COUNT(patch_omitted_zeros); i++)
        if (slice_equal(patch_omitted_zeros[i].parent, parent) &&
            slice_equal(patch_omitted_zeros[i].member, member))
            return true;
    return false;
}

bool
patch_omits(struct slice parent, const struct node *member)
{
    if (node_is_absent(member))
        return true;
    if (member->kind == NODE_LIST)
        return member->len == 0 && !patch_is_kept_list(node_key(member));
    return patch_is_zero(member) && patch_omits_zero(parent, node_key(member));
}
