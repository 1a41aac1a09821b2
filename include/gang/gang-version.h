/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang-version.h
 * @brief The version of these headers; gang_version() gives that of the running library.
 */
#ifndef GANG_GANG_VERSION_H
#define GANG_GANG_VERSION_H

#define GANG_VERSION_MAJOR 0
#define GANG_VERSION_MINOR 1
#define GANG_VERSION_PATCH 0
#define GANG_VERSION_TEXT "0.1.0"

/**
 * True if these headers are of the given version or a later one, for `#if`: a program that is also
 * compiled with older headers tests for a function that came later. @since 0.1
 */
#define GANG_VERSION_AT_LEAST(major, minor, patch)                                                 \
    (GANG_VERSION_MAJOR > (major) ||                                                               \
     (GANG_VERSION_MAJOR == (major) &&                                                             \
      (GANG_VERSION_MINOR > (minor) ||                                                             \
       (GANG_VERSION_MINOR == (minor) && GANG_VERSION_PATCH >= (patch)))))

#endif
