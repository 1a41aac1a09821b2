/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_SCHEDULERS_H
#define GANGCTL_SCHEDULERS_H

#include <json-c/json.h>

/*
 * Returns the library's facts about each scheduler, as gang_backends_serialize() writes them: a
 * list of maps, which the caller puts. gangctl has no copy of these facts.
 */
struct json_object *schedulers_read(void);

/* Returns the entry with this name; NULL if absent. */
struct json_object *schedulers_find(struct json_object *schedulers, const char *name);

enum { SCHEDULERS_MOST = 32 };

/* The names, ended by NULL; set by schedulers_list_names(). */
extern const char *scheduler_names[SCHEDULERS_MOST + 1];
void schedulers_list_names(void);

#endif
