# SPDX-License-Identifier: Apache-2.0
import sys

from ._cli import main

sys.exit(main())
