/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EXIT_H
#define GANGCTL_EXIT_H

/* What every command answers to its caller; part of the interface. */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1,     /* a document is wrong, or the policy forbids it */
    EXIT_COULD_NOT_RUN = 2 /* usage, an unreadable file, no memory */
};

#endif
