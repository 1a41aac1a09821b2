/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_TOPOLOGYBINDINGS_H
#define TESTS_UNIT_TOPOLOGYBINDINGS_H

#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/typed.h"

/* A ClusterTopologyBinding in JSON, ' for ", which must be right. */
static inline struct gang_topologybinding *
binding_of(const char *text)
{
    struct gang_topologybinding *binding = NULL;
    char spelled[DOCUMENT_SIZE];

    spell(spelled, text);
    ck_assert_int_eq(parse_topologybinding(NULL, spelled, strlen(spelled), 0, &binding, NULL),
                     GANG_OK);
    return binding;
}

#endif
