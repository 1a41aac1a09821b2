/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EXIT_H
#define GANGCTL_EXIT_H

/* The exit status of every command; part of the interface. */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1,     /* a document is invalid, or the policy forbids it */
    EXIT_COULD_NOT_RUN = 2 /* wrong usage, an unreadable file, out of memory */
};

#endif
