/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_DIGEST_H
#define TESTS_SUPPORT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include <gang/gang.h>

/* FNV-1a over everything that a call answered; two equal runs have equal digests. Start with
 * DIGEST_START. */
#define DIGEST_START 14695981039346656037u

uint64_t digest_bytes(uint64_t digest, const char *data, size_t len);
uint64_t digest_text(uint64_t digest, const char *text);
uint64_t digest_number(uint64_t digest, int64_t number);
uint64_t digest_diagnostic(uint64_t digest, const struct gang_diagnostic *diagnostic);
uint64_t digest_error(uint64_t digest, const struct gang_error *error);
uint64_t digest_decision(uint64_t digest, const struct gang_decision *decision);
uint64_t digest_plan(uint64_t digest, const struct gang_plan *plan);
uint64_t digest_blob(uint64_t digest, const struct gang_blob *blob);
uint64_t digest_stream(uint64_t digest, const struct gang_stream *stream);

#endif
