/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

#include "unit/kueue_findings.h"
#include "unit/suite.h"

#define LAYERS "kueue.x-k8s.io/podset-slice-required-topology-constraints"
#define BATCH(layers)                                                                              \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ml','labels':{"     \
    "'kueue.x-k8s.io/queue-name':'q'}},'spec':{'completionMode':'Indexed','parallelism':8,"        \
    "'completions':8,'template':{'metadata':{'annotations':{'" LAYERS "':'" layers                 \
    "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}"
/* a double quote within a text of JSON, which the tests write with single quotes */
#define Q "\\\""
#define LAYER(topology, size) "{" Q "topology" Q ":" Q topology Q "," Q "size" Q ":" size "}"

#define PATH "spec.template.metadata.annotations[" LAYERS "]: "
#define PLACES                                                                                     \
    "GANG560 " PATH "Kueue places the pods of role \"main\" in slices of several levels\n"
#define REFUSES "GANG561 " PATH
#define INVALID(text) REFUSES "Invalid value: \"" text "\": "
#define NOT_LAYERS "must be a valid JSON array of layers with \"topology\" and \"size\"\n"
#define WRONG_COUNT "topology constraints must contain between 1 and 3 entries\n"
#define EMPTY_NAME                                                                                 \
    "name part must be non-empty\n" REFUSES                                                        \
    "[0].topology: Invalid value: \"\": name part must consist of alphanumeric characters, '-', "  \
    "'_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "       \
    "'my.name',  or '123-abc', regex used for validation is "                                      \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"

/*
 * Source: validateSliceRequiredTopologyConstraintsAnnotation in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/tas_validation.go@v0.19.2
 */
static const struct kueue_layer_case {
    const char *layers;
    const char *findings; /* after PLACES */
} rows[] = {
    {BATCH("[" LAYER("a/block", "8") "]"), ""},
    {BATCH("[" LAYER("a/block", "8") "," LAYER("a/rack", "4") "," LAYER("host", "1") "]"), ""},
    {BATCH(" [ {" Q "size" Q ":1," Q "topology" Q ":" Q "a" Q "," Q "more" Q ":true} ] "), ""},
    /* no list of layers */
    {BATCH(""), INVALID("") NOT_LAYERS},
    {BATCH("x"), INVALID("x") NOT_LAYERS},
    {BATCH("{}"), INVALID("{}") NOT_LAYERS},
    {BATCH("[1]"), INVALID("[1]") NOT_LAYERS},
    {BATCH("[]]"), INVALID("[]]") NOT_LAYERS},
    {BATCH("[{" Q "topology" Q ":1}]"), INVALID("[{\\\"topology\\\":1}]") NOT_LAYERS},
    {BATCH("[{" Q "size" Q ":" Q "1" Q "}]"), INVALID("[{\\\"size\\\":\\\"1\\\"}]") NOT_LAYERS},
    {BATCH("[{" Q "size" Q ":1.5}]"), INVALID("[{\\\"size\\\":1.5}]") NOT_LAYERS},
    {BATCH("[{" Q "size" Q ":2147483648}]"), INVALID("[{\\\"size\\\":2147483648}]") NOT_LAYERS},
    {BATCH("[]"), INVALID("[]") WRONG_COUNT},
    {BATCH("null"), INVALID("null") WRONG_COUNT},
    /* a wrong number of layers is not read further, but for the first size */
    {BATCH("[{" Q "size" Q ":9},{},{},{}]"),
     INVALID("[{\\\"size\\\":9},{},{},{}]") "must not be greater than pod set count 8\n" INVALID(
         "[{\\\"size\\\":9},{},{},{}]") WRONG_COUNT},
    /* wrong layers; what is absent is empty */
    {BATCH("[" LAYER("a", "0") "]"),
     REFUSES "[0].size: Invalid value: 0: must be greater than or equal to 1\n"},
    {BATCH("[{" Q "size" Q ":1}]"), REFUSES "[0].topology: Invalid value: \"\": " EMPTY_NAME},
    {BATCH("[null]"),
     REFUSES "[0].size: Invalid value: 0: must be greater than or equal to 1\n" REFUSES
             "[0].topology: Invalid value: \"\": " EMPTY_NAME},
    {BATCH("[" LAYER("a", "4") "," LAYER("b", "3") "]"),
     REFUSES "[1].size: Invalid value: 3: must evenly divide the parent layer size 4\n"},
    {BATCH("[" LAYER("a", "4") "," LAYER("b", "2") "," LAYER("a", "1") "]"),
     REFUSES "[2].topology: Duplicate value: \"a\", as in [0]\n"},
    {BATCH("[" LAYER("a", "9") "]"),
     INVALID("[{\\\"topology\\\":\\\"a\\\",\\\"size\\\":9}]") "must not be greater than pod set "
                                                              "count 8\n"},
};

START_TEST(kueue_reads_layers)
{
    char findings[DOCUMENT_SIZE];

    snprintf(findings, sizeof(findings), "%s%s", PLACES, rows[_i].findings);
    check_kueue_findings(rows[_i].layers, "'defaultBackend':'coscheduling'", findings);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, kueue_reads_layers, rows, layers);
}
