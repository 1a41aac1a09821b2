/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/jobs/job_kinds.h"

#include "unit/suite.h"

/* A word of a policy, and the kinds that it selects. */
static const struct {
    const char *word;
    job_kind_set kinds;
} words[] = {
    {"*", JOB_KINDS_ALL},
    {"TrainJob", JOB_KINDS_TRAINER},
    {"TrainJob.trainer.kubeflow.org", JOB_KINDS_TRAINER},
    {"PodGang", JOB_NAME_BIT(podgang)},
    {"PodCliqueSet", JOB_NAME_BIT(podcliqueset)},
    {"Job", JOB_NAME_BIT(job)},
    {"Job.batch", JOB_NAME_BIT(job)},
    {"AppWrapper.workload.codeflare.dev", JOB_NAME_BIT(appwrapper)},
    /* a Job of Volcano is no Job */
    {"Job.batch.volcano.sh", 0},
    {"Job.", 0},
    {"job", 0},
    {"jobs.batch", 0},
    {"batch/v1/Job", 0},
    {"Ray*", 0},
    {"**", 0},
    {"Pod", 0},
    {".batch", 0},
    {"", 0},
};

START_TEST(a_word_selects_kinds)
{
    ck_assert_uint_eq(job_names_selected(slice_from_text(words[_i].word)), words[_i].kinds);
}
END_TEST

START_TEST(every_word_selects_a_kind)
{
    size_t count = 0;

    for (; job_name_words[count]; count++)
        ck_assert_uint_ne(job_names_selected(slice_from_text(job_name_words[count])), 0);
    ck_assert_uint_eq(count, 1 + 2 * JOB_NAME_COUNT);
}
END_TEST

/* The row of a kind and the kind itself say the same. */
START_TEST(kinds_have_their_names)
{
#define KIND_AND_PLACE(name, kind, group) {&name##_job_kind, JOB_NAME_AT_##name},
    static const struct {
        const struct job_kind *kind;
        size_t place;
    } kinds[] = {JOB_KINDS(KIND_AND_PLACE)};

    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const struct job_kind *kind = kinds[i].kind;

        for (size_t k = 0; k < JOB_KIND_MOST_VERSIONS && kind->api_versions[k].len; k++)
            ck_assert_uint_eq(job_names_of(kind->api_versions[k], kind->kind),
                              (job_kind_set)1 << kinds[i].place);
    }
}
END_TEST

static const struct {
    const char *api_version, *kind;
    job_kind_set kinds;
} documents[] = {
    {"trainer.kubeflow.org/v1alpha1", "TrainJob", JOB_KINDS_TRAINER},
    {"batch/v1", "Job", JOB_NAME_BIT(job)},
    {"batch", "Job", JOB_NAME_BIT(job)},
    {"batch.volcano.sh/v1alpha1", "Job", 0},
    {"kubeflow.org/v1", "MPIJob", JOB_NAME_BIT(mpi_job)},
    {"kubeflow.org/v1", "Job", 0},
    {"", "Job", 0},
};

START_TEST(a_document_has_a_kind)
{
    ck_assert_uint_eq(job_names_of(slice_from_text(documents[_i].api_version),
                                   slice_from_text(documents[_i].kind)),
                      documents[_i].kinds);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_word_selects_kinds, words, word);
    tcase_add_test(cases, every_word_selects_a_kind);
    tcase_add_test(cases, kinds_have_their_names);
    add_rows(cases, a_document_has_a_kind, documents, api_version, kind);
}
