/* SPDX-License-Identifier: Apache-2.0 */
/* The first byte chooses strictness, the rest is the document. */
#include "fuzz/policy_forms.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gang_policy *policy;
    struct gang_error *error;
    int code;

    if (size == 0)
        return 0;
    code = gang_policy_parse(NULL, (const char *)data + 1, size - 1, data[0] & GANG_PARSE_STRICT, &policy,
                             &error);
    must_agree(code, policy, error);
    if (policy) {
        must(gang_policy_get_name(policy) != NULL);
        must_have_one_form(policy);
    }
    gang_policy_unref(policy);
    return 0;
}
