/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/ascii.h"

#define ASCII_TEN(class) class, class, class, class, class, class, class, class, class, class
#define ASCII_LETTERS(class) ASCII_TEN(class), ASCII_TEN(class), class, class, class, class, class, class

const unsigned char ascii_classes[256] = {
    ['-'] = ASCII_DASH,
    ['_'] = ASCII_UNDERSCORE,
    ['.'] = ASCII_DOT,
    ['0'] = ASCII_TEN(ASCII_DIGIT),
    ['A'] = ASCII_LETTERS(ASCII_UPPER),
    ['a'] = ASCII_LETTERS(ASCII_LOWER),
};
