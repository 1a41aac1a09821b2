/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_DOCUMENT_KINDS_H
#define LIBGANG_DECIDE_DOCUMENT_KINDS_H

#include "libgang/document/document.h"

/* Every kind of document that gang_document_parse() reads; a new front end adds its rows here. */
enum { DOCUMENT_KIND_COUNT = 8 };
extern const struct document_kind document_kinds[DOCUMENT_KIND_COUNT];

#endif
