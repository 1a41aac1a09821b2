/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TESTS_PARITY_SHIM_H
#define LIBGANG_TESTS_PARITY_SHIM_H

/*
 * What the parity tests call inside libgang. Every function returns 0 and a malloc'ed,
 * NUL-terminated text in *out, or 1, without text, where libgang reports an error. Texts are
 * NUL-terminated.
 */

/*
 * op is one of
 *   "string"     a, parsed and printed (verbatim where Kubernetes keeps the text)
 *   "canonical"  a, printed after something was added: never verbatim
 *   "add" "sub"  a with b added or subtracted
 *   "mul"        a times b, a decimal int64
 *   "cmp"        "-1", "0" or "1"
 *   "reread"     a, written as JSON and read again, then "canonical" (the format may have changed),
 * times b
 */
int shim_quantity(const char *op, const char *a, const char *b, char **out);

/* A PodSpec as JSON; answers the requests of one pod, only requests counting, as a JSON object of
 * strings. */
int shim_pod_requests(const char *pod_spec_json, char **out_json);

/*
 * A JobSet's spec and a patch of it, both as the operator writes them; answers the merged spec, its
 * replicatedJobs back in the order they had.
 */
int shim_strategic_merge(const char *jobset_spec_json, const char *patch_json, char **out_json);

#endif
