# SPDX-License-Identifier: Apache-2.0
"""Archives that are the same bytes for the same files: no users, no names of their makers."""

import gzip
import io
import tarfile
import zipfile

# The oldest time that a zip can hold.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def tar_gz(members, time=0):
    """A compressed tar of (name, bytes, mode), in this order."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream:
        with tarfile.open(mode="w", fileobj=stream, format=tarfile.PAX_FORMAT) as archive:
            for name, data, mode in members:
                entry = tarfile.TarInfo(name)
                if isinstance(data, str):
                    entry.type, entry.linkname, data = tarfile.SYMTYPE, data, b""
                entry.size, entry.mode, entry.mtime = len(data), mode, time
                archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def zipped(members):
    """A zip of (name, bytes), in this order."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            entry = zipfile.ZipInfo(name, ZIP_EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
