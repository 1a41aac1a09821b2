/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"

#include "unit/suite.h"

/* Jobs, and the option of their operator. The values are those of the operators' sources. */
static const struct {
    size_t kind;
    const char *option; /* NULL: the operator has none */
    const char *value;
    bool makes_gangs;
} values[] = {
    {JOB_NAME_AT_ray_cluster, "--batch-scheduler", "volcano", true},
    {JOB_NAME_AT_ray_job, "--batch-scheduler", "volcano", true},
    {JOB_NAME_AT_ray_service, "--batch-scheduler", "yunikorn", false},
    {JOB_NAME_AT_ray_cluster, "--batch-scheduler", "scheduler-plugins", false},
    {JOB_NAME_AT_ray_cluster, "--batch-scheduler", "", false},
    {JOB_NAME_AT_mpi_job, "--gang-scheduling", "volcano", true},
    {JOB_NAME_AT_mpi_job, "--gang-scheduling", "any", true},
    {JOB_NAME_AT_mpi_job, "--gang-scheduling", "", false},
    {JOB_NAME_AT_pytorch_job, "--gang-scheduler-name", "any", true},
    {JOB_NAME_AT_jax_job, "--gang-scheduler-name", "None", false},
    {JOB_NAME_AT_spark_application, "--default-batch-scheduler", "yunikorn", true},
    {JOB_NAME_AT_lws, "gangSchedulingManagement.schedulerProvider", "volcano", true},
    {JOB_NAME_AT_jobset, NULL, "volcano", false},
    {JOB_NAME_AT_gang_job, NULL, "volcano", false},
    {JOB_NAME_AT_trainjob, NULL, "volcano", false},
};

START_TEST(an_option_makes_gangs_with_some_values)
{
    const struct operator_option *option = job_traits[values[_i].kind].operator_option;

    ck_assert_int_eq(option != NULL, values[_i].option != NULL);
    if (!option)
        return;
    ck_assert_str_eq(option->option, values[_i].option);
    ck_assert_int_eq(operator_option_makes_gangs(option, slice_from_text(values[_i].value)),
                     values[_i].makes_gangs);
}
END_TEST

static const struct {
    size_t kind;
    const char *job;
    const char *group;
    bool is_group;
} groups[] = {
    {JOB_NAME_AT_ray_cluster, "a", "ray-a-pg", true},
    {JOB_NAME_AT_ray_cluster, "ray-a", "ray-ray-a-pg", true},
    {JOB_NAME_AT_ray_cluster, "a", "ray-b-pg", false},
    {JOB_NAME_AT_ray_cluster, "a", "ray-ab-pg", false},
    {JOB_NAME_AT_ray_cluster, "a", "a", false},
    {JOB_NAME_AT_ray_cluster, "a", "xay-a-pg", false},
    {JOB_NAME_AT_ray_cluster, "a", "ray-a-xx", false},
    {JOB_NAME_AT_spark_application, "a", "spark-a-pg", true},
    {JOB_NAME_AT_mpi_job, "a", "a", false}, /* it has the name of libgang's own */
};

START_TEST(the_name_of_a_group_tells_its_operator)
{
    ck_assert_int_eq(operator_option_is_group(job_traits[groups[_i].kind].operator_option,
                                              slice_from_text(groups[_i].job),
                                              slice_from_text(groups[_i].group)),
                     groups[_i].is_group);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, an_option_makes_gangs_with_some_values, values, option, value);
    add_rows(cases, the_name_of_a_group_tells_its_operator, groups, job, group);
}
