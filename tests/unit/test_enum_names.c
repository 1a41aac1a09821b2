/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include <gang/gang.h>

#include "libgang/base/report.h"
#include "unit/suite.h"

/* Every enumerator of the public header, in order; `-` for one without a name. */
static const struct {
    const char *(*name)(int value);
    int first;
    const char *names; /* with a comma between them */
} enumerations[] = {
    {gang_result_name, GANG_ERROR_DENIED,
     "Denied,Invalid,Limit,Syntax,UnsupportedFlag,InvalidArgument,NoMemory,OK"},
    {gang_severity_name, GANG_SEVERITY_NONE, "-,error,warning,info"},
    {gang_document_type_name, GANG_DOCUMENT_NONE,
     "-,runtime,trainjob,policy,cluster,podgang,podcliqueset,live,pod,topologybinding,job"},
    {gang_limit_name, 0,
     "-,document bytes,stream bytes,documents in a stream,nesting depth,values after alias "
     "expansion,anchors,"
     "aliases,keys in one mapping,items in one list,bytes of one scalar,bytes of one key,pods of "
     "one role,"
     "roles,containers of one pod,diagnostics,bytes of memory for one handle,output bytes,"
     "bytes of live objects,live objects,bytes of memory for live objects,steps"},
    {gang_outcome_name, GANG_OUTCOME_NONE, "-,Gang,NoGang,Denied,Invalid"},
    {gang_action_name, GANG_ACTION_NONE, "-,Create,Apply,Leave,Recreate,Delete,Conflict"},
    {gang_target_name, 0, "-,plan,objects,runtime,job"},
    {gang_format_name, 0, "-,json,yaml,svg,row,text,html"},
    {gang_patch_section_name, 0, "-,labels,annotations,spec"},
};

START_TEST(each_enumerator_has_its_name)
{
    const char *at = enumerations[_i].names;
    int value = enumerations[_i].first;

    for (; *at; value++) {
        size_t len = strcspn(at, ",");
        const char *name = enumerations[_i].name(value);

        if (strncmp(at, "-", len) == 0)
            ck_assert_msg(name == NULL, "%d is named %s", value, name);
        else
            ck_assert_msg(name && strlen(name) == len && strncmp(name, at, len) == 0,
                          "%d is not named %.*s", value, (int)len, at);
        at += len + (at[len] == ',');
    }
    ck_assert_ptr_null(enumerations[_i].name(value));
    ck_assert_ptr_null(enumerations[_i].name(enumerations[_i].first - 1));
    ck_assert_ptr_null(enumerations[_i].name(INT_MIN));
    ck_assert_ptr_null(enumerations[_i].name(INT_MAX));
}
END_TEST

START_TEST(each_code_has_its_reason)
{
    for (size_t i = 0; i < diagnostic_table_size; i++)
        ck_assert_str_eq(gang_code_name((int)diagnostic_table[i].code), diagnostic_table[i].reason);
    ck_assert_str_eq(gang_code_name(12), "StructuralDeadlock");
    ck_assert_ptr_null(gang_code_name(0));
    ck_assert_ptr_null(gang_code_name(-1));
    ck_assert_ptr_null(gang_code_name(INT_MIN));
    ck_assert_ptr_null(gang_code_name(INT_MAX));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, each_enumerator_has_its_name, 0, ITEMS_OF(enumerations));
    tcase_add_test(cases, each_code_has_its_reason);
}
