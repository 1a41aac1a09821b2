/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_PODS_H
#define FUZZ_PODS_H

#include "fuzz/promises.h"

/*
 * Checks what gang_decision_prepare_pod() promises for any pod. Returns NULL if the pod is refused.
 */
static inline struct gang_blob *
prepared_pod(const struct gang_decision *decision, const char *text, size_t len,
             enum gang_format format)
{
    struct gang_error *error;
    struct gang_blob *blob;
    int code = gang_decision_prepare_pod(NULL, decision, text, len, format, 0, &blob, &error);

    return must_agree(code, blob, error) ? blob : NULL;
}

/* A prepared pod must not change when it is prepared again, in either format. */
static inline void
must_stay_prepared(const struct gang_decision *decision, const struct gang_blob *json,
                   const struct gang_blob *pod)
{
    size_t len;
    const char *text = gang_blob_get_data(pod, &len);
    struct gang_blob *again = prepared_pod(decision, text, len, GANG_FORMAT_JSON);

    must(again != NULL);
    must_be_equal(json, again);
    gang_blob_unref(again);
}

static inline void
check_pod(const struct gang_decision *decision, const char *text, size_t len)
{
    int outcome = gang_decision_get_outcome(decision);
    bool is_usable = outcome == GANG_OUTCOME_GANG || outcome == GANG_OUTCOME_NO_GANG;
    struct gang_blob *json = prepared_pod(decision, text, len, GANG_FORMAT_JSON);
    struct gang_blob *yaml = prepared_pod(decision, text, len, other_format());
    struct gang_blob *read = json ? must_be_one(json, "Pod") : NULL;

    must((json == NULL) == (yaml == NULL));
    must(is_usable || !json);
    if (json) {
        must_be_equal(json, read);
        must_stay_prepared(decision, json, json);
        must_stay_prepared(decision, json, yaml);
    }
    gang_blob_unref(read);
    gang_blob_unref(json);
    gang_blob_unref(yaml);
}

#endif
