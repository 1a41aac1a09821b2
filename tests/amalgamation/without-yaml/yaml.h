/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a machine without libyaml. */
#error "the library without YAML includes yaml.h"
