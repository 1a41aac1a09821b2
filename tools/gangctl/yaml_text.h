/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_YAML_TEXT_H
#define GANGCTL_YAML_TEXT_H

#include "text.h"

/* Adds a JSON document of gangctl as YAML. A document that is too large for it stays JSON. */
void text_add_as_yaml(struct text *out, const struct text *json);

#endif
