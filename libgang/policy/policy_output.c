/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_output.h"

#include "libgang/document/finding.h"
#include "libgang/kube/object_meta.h"
#include "libgang/policy/policy_schema.h"
#include "libgang/trainer/reserved_marks.h"

static void
output_check_keys(struct policy_reader *reader, const struct node *map)
{
    for (NODE_EACH(member, map))
        if (reserved_marks_has_key(node_key(member)))
            find_forbidden(reader->report, GANG_CODE_RESERVED_OUTPUT_KEY, member, "remove it",
                           "%.*s is a mark of gang membership", SLICE_ARG(node_key(member)));
        else if (slice_equal(node_key(member), SLICE(POLICY_STAMP_KEY)))
            find_forbidden(reader->report, GANG_CODE_RESERVED_OUTPUT_KEY, member,
                           "write policyStamp: Annotation instead", "%s is the policy's own stamp",
                           POLICY_STAMP_KEY);
}

struct policy_output
policy_output_read(struct policy_reader *reader, const struct node *source)
{
    struct policy_output output = {
        .labels = node_member(source, SLICE("labels")),
        .annotations = node_member(source, SLICE("annotations")),
        .policy_stamp = policy_choice(node_member(source, SLICE("policyStamp")), stamp_names) == 1,
        .omits_owner = policy_choice(node_member(source, SLICE("ownerReferences")), owner_names) == 1,
        .source = source,
    };

    object_meta_check_labels(output.labels, reader->report);
    object_meta_check_annotations(output.annotations, reader->report);
    output_check_keys(reader, output.labels);
    output_check_keys(reader, output.annotations);
    return output;
}
