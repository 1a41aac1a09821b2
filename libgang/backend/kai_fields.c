/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_fields.h"

#include "libgang/base/report.h"

/* The windows of releases that have a feature: from the first, until before the second, {0} for none yet. */
struct kai_window {
    enum kai_feature feature;
    struct release from;
    struct release until;
};

#define KAI_RELEASE(minor_, patch_)                                                                          \
    {                                                                                                        \
        .is_known = true, .minor = (minor_), .patch = (patch_)                                               \
    }

/*
 * Source: kai-scheduler/KAI-Scheduler, the CRD, webhook and scheduler at the tags v0.12.0 to v0.17.0, main d5bc503a. A
 * minimum of 0 at the root came with #1989 and was carried back to v0.17 and v0.16. Finished pods are lost since v0.16.2;
 * #2012 mends that on main and on v0.17, but not on v0.16. The topology of a group stays with #1771.
 */
static const struct kai_window kai_windows[] = {
    {KAI_MIN_SUB_GROUP, KAI_RELEASE(15, 0), {0}},
    {KAI_EXTERNAL_GROUPS, KAI_RELEASE(15, 0), {0}},
    {KAI_DELAYS, KAI_RELEASE(17, 0), {0}},
    {KAI_ROOT_ZERO, KAI_RELEASE(16, 9), KAI_RELEASE(17, 0)},
    {KAI_ROOT_ZERO, KAI_RELEASE(17, 1), {0}},
    {KAI_FORGETS_FINISHED, KAI_RELEASE(16, 2), KAI_RELEASE(17, 1)},
    {KAI_KEEPS_TOPOLOGY, KAI_RELEASE(16, 1), {0}},
};

const struct release kai_newest_release = KAI_RELEASE(17, 0);

static bool
kai_window_holds(const struct kai_window *window, const struct release *release)
{
    return release_compare(release, &window->from) >= 0 &&
           (!window->until.is_known || release_compare(release, &window->until) < 0);
}

bool
kai_has(enum kai_feature feature, const struct release *release)
{
    for (size_t i = 0; i < sizeof(kai_windows) / sizeof(kai_windows[0]); i++)
        if (kai_windows[i].feature == feature && kai_window_holds(&kai_windows[i], release))
            return true;
    return false;
}

const char *
kai_release_text(const struct release *release, struct arena *arena)
{
    return arena_format(arena, "v%u.%u.%u", release->major, release->minor, release->patch);
}
