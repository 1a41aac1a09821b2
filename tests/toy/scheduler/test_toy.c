/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/suite.h"

START_TEST(is_found_by_its_names)
{
    ck_assert_ptr_eq(backend_of(&toy_descriptor), &toy_backend);
    ck_assert_ptr_eq(backend_by_scheduler(SLICE("toy-scheduler")), &toy_backend);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, is_found_by_its_names);
}
