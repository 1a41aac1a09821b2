/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_JAVA_SIZE_H
#define LIBGANG_JOBS_JAVA_SIZE_H

#include "libgang/base/text.h"

#define JAVA_MEBIBYTE (INT64_C(1) << 20)

/*
 * Parses a size as Spark writes it: digits and a unit in any case, such as `512m`, `1g` or `1gb`,
 * which are powers of 1024. `unit` is the unit of a text without one, in bytes. False if the text
 * is no size, or one of 2^63 bytes or more; then `bytes` stays as it is. Source:
 * apache/spark:common/utils/src/main/java/org/apache/spark/network/util/JavaUtils.java byteStringAs
 */
bool java_size_parse(struct slice text, int64_t unit, int64_t *bytes);

#endif
