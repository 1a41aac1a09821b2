/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_XML_H
#define GANGCTL_XML_H

#include "text.h"

/* Adds the text for an attribute or an element. What XML cannot contain is written as `\xHH`. */
void xml_add(struct text *out, const char *text);
/* Adds ` name="text"`; nothing if the text is NULL. */
void xml_add_attribute(struct text *out, const char *name, const char *text);

#endif
