/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang.h>

uint32_t
gang_version(void)
{
    return GANG_VERSION_MAJOR * 1000000u + GANG_VERSION_MINOR * 1000u + GANG_VERSION_PATCH;
}

const char *
gang_version_string(void)
{
    return GANG_VERSION_TEXT;
}

int
gang_has_yaml(void)
{
#ifdef GANG_WITH_YAML
    return 1;
#else
    return 0;
#endif
}
