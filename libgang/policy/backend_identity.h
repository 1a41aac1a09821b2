/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_BACKEND_IDENTITY_H
#define LIBGANG_POLICY_BACKEND_IDENTITY_H

#include "libgang/document/schema.h"

/* What a policy may say of a backend. Each backend states its own; the policy room reads them through the table. */
struct backend_identity {
    struct slice name;           /* in lower case; its block of options has this name: "volcano" */
    struct slice type;           /* "Volcano" */
    struct slice api_version;    /* of its objects; unset where the cluster decides it */
    struct slice scheduler_name; /* where no policy says otherwise */
    /*
     * Of `backends[].<name>` in a policy; NULL: it has none. Each field needs a description, and a default_text where
     * one holds without it. `podGroup` among them may stand on the entry itself too and is read as if it stood here.
     */
    const struct schema *options;
    /* What `backends[].apiVersion` may name, NULL-terminated; NULL: api_version alone, or anything without it. */
    const char *const *api_versions;
};

/* In the order of the backend table; NULL past the end. */
const struct backend_identity *backend_identity_at(size_t index);
/* By its type as policies spell it; NULL for none. */
const struct backend_identity *backend_identity_of_type(struct slice type);

#endif
