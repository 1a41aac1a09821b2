/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_PRINT_H
#define GANGCTL_PRINT_H

#include <stdbool.h>

#include "options.h"
#include "text.h"

/*
 * Print on standard output; return false if it cannot be written. print_data() is for documents,
 * whose bytes are kept. print_as() does the same for JSON and YAML; any other output is for people:
 * of what is unprintable, such as bidirectional and zero-width characters, only line breaks are
 * kept, and the bytes of the others are written as `\xHH`.
 */
bool print_data(const struct text *text);
bool print_as(const struct text *text, enum output output);
/* Print on standard error, for people. */
void print_error(const struct text *text);
__attribute__((format(printf, 1, 2))) void print_errorf(const char *format, ...);

#endif
