/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_SCHEDULERS_H
#define GANGCTL_SCHEDULERS_H

#include <json-c/json.h>

/*
 * What the library knows of each scheduler, as gang_backends_serialize() writes it: a list of maps,
 * which the caller puts. Nothing of it is written down here a second time.
 */
struct json_object *schedulers_read(void);

/* The entry of that name; NULL for none. */
struct json_object *schedulers_find(struct json_object *schedulers, const char *name);

enum { SCHEDULERS_MOST = 32 };

/* Their names, up to NULL, once schedulers_list_names() was called. */
extern const char *scheduler_names[SCHEDULERS_MOST + 1];
void schedulers_list_names(void);

#endif
