# SPDX-License-Identifier: Apache-2.0
"""Documents: TrainJobs, runtimes, PodGangs, policies, cluster facts, and streams of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from ctypes import byref, c_size_t, string_at
from dataclasses import dataclass
from functools import partial
from typing import cast

from ._calls import made, no_places, written
from ._context import Context
from ._convert import Parsed, Source, is_text, to_bytes
from ._diagnostic import Diagnostic, diagnostics_of
from ._handles import Closing, Handle, c_text, some, text, whole
from ._library import LIBRARY
from ._names import DocumentType, Format

PARSE_NO_FLAGS = 0
PARSE_STRICT = 1
LIVE_NO_FLAGS = 0
LIVE_DIAGNOSE = 1


class Document(Closing, Parsed):
    """One parsed document, immutable and for any thread. Parse a runtime or a policy once, use it
    for any number of jobs."""

    __slots__ = ("_handle", "_text", "has_places", "number")

    # The number of the type, also when it is closed.
    number: int

    # Whether the line and column of a diagnostic are places that the caller knows: false for a
    # mapping or model.
    has_places: bool

    def __init__(self, handle: Handle, has_places: bool, text: bytes) -> None:
        self._handle = handle
        self._text = text
        self.has_places = has_places
        self.number = LIBRARY.gang_document_get_type(handle.pointer)

    @property
    def type(self) -> DocumentType:
        """What the document is: "trainjob", "runtime", "policy"."""
        self._live()
        return DocumentType.at(self.number)

    @property
    def api_version(self) -> str:
        """The `apiVersion`."""
        handle = self._live()
        return some(LIBRARY.gang_document_get_api_version(handle.pointer))

    @property
    def kind(self) -> str:
        """The `kind`."""
        handle = self._live()
        return some(LIBRARY.gang_document_get_kind(handle.pointer))

    @property
    def name(self) -> str:
        """The `metadata.name`."""
        handle = self._live()
        return some(LIBRARY.gang_document_get_name(handle.pointer))

    @property
    def namespace(self) -> str | None:
        """The `metadata.namespace`."""
        handle = self._live()
        return text(LIBRARY.gang_document_get_namespace(handle.pointer))

    @property
    def uid(self) -> str | None:
        """The `metadata.uid`."""
        handle = self._live()
        return text(LIBRARY.gang_document_get_uid(handle.pointer))

    @property
    def stamp(self) -> str | None:
        """`name@hash` of a GangPolicy; None for other documents."""
        handle = self._live()
        return text(LIBRARY.gang_policy_get_stamp(handle.pointer))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The parser's warnings and infos. A decision has them too, with the severity that its
        policy gives them."""
        handle = self._live()
        return diagnostics_of(
            handle.pointer,
            LIBRARY.gang_document_num_diagnostics,
            LIBRARY.gang_document_get_diagnostic,
            without_places((self,)),
        )

    def reference(self, kind: str) -> str | None:
        """Name of the object of a kind that this document refers to: of a TrainJob its
        "TrainingRuntime" or "ClusterTrainingRuntime", of a PodGang its "PodCliqueSet"."""
        handle = self._live()
        return text(LIBRARY.gang_document_get_reference(handle.pointer, c_text(kind)))

    @property
    def num_gangs(self) -> int:
        """How many gangs a job has, which are resolved one by one: a LeaderWorkerSet one for each
        replica, a JobSet one for each stage with several pods. 0 for a document that is no job, and
        without replicas or stages that have a gang. A job that resolve() gives no gang, such as a
        Job that is not Indexed, counts as one."""
        handle = self._live()
        return LIBRARY.gang_document_num_gangs(handle.pointer)

    def gang_job(self, gang: int = 0, format: Format | str = Format.JSON) -> bytes:
        """The GangJob that one gang of a job of another kind than TrainJob and PodGang is read as:
        its roles, their counts and requests, and the start order. Raises GangError for a gang that
        the job does not have, and for a job without pods of its own."""
        handle = self._live()
        index = gang_index(gang)
        arguments = (handle.pointer, index, Format(format).number, 0)
        places = partial(without_places, (self,))
        return written(None, LIBRARY.gang_job_serialize, *arguments, places=places)

    def __repr__(self) -> str:
        if self.closed:
            return "<Document closed>"
        if self.type is DocumentType.LIVE:
            return "<Document live>"
        return f"<Document {self.kind} {identity(self)}>"


def gang_index(gang: int) -> int:
    """Checks the number of a gang."""
    return whole("gang", gang, 64)


def type_of(api_version: str | None, kind: str) -> DocumentType | None:
    """The type of a document with this `apiVersion` and `kind`, without parsing it: "job" for each
    kind of job that is read as a GangJob. None for a kind that is not read. No `api_version` is
    any."""
    version = None if api_version is None else c_text(api_version)
    number = LIBRARY.gang_document_type_of(version, c_text(kind))
    return DocumentType.at(number) if number else None


def identity(document: Document) -> str:
    """ "namespace/name", or "name"."""
    return f"{document.namespace}/{document.name}" if document.namespace else document.name


def without_places(documents: Collection[Document]) -> frozenset[int]:
    """The types of documents whose lines and columns the caller does not know."""
    return frozenset(document.number for document in documents if not document.has_places)


def has_places(source: Source) -> bool:
    return source.has_places if isinstance(source, Document) else is_text(source)


def parse(
    source: Source,
    *,
    strict: bool = False,
    file: str | None = None,
    line: int = 1,
    context: Context | None = None,
) -> Document:
    """Parses and checks one document: a mapping, a model of an SDK, or YAML or JSON text. A parsed
    document is parsed again.

    `strict` makes unknown fields errors. `file` is the name of the file that the text is in, from
    this `line` on: explain() names it. Raises GangError with a diagnostic for each invalid
    place."""
    data = to_bytes(source)
    is_placed = has_places(source)
    flags = PARSE_STRICT if strict else PARSE_NO_FLAGS
    places = no_places if is_placed else every_type
    name = None if file is None else c_text(file)
    origin = (name, whole("line", line, 32), 1)
    parse_named = LIBRARY.gang_document_parse_named
    pointer = made(context, parse_named, data, len(data), *origin, flags, places=places)
    return Document(Handle(pointer, LIBRARY.gang_document_unref), is_placed, data)


def every_type() -> Collection[int]:
    """The caller knows no place of any document."""
    return {0, *(document_type.number for document_type in DocumentType)}


def as_document(source: Document | Source, context: Context | None = None) -> Document:
    """Parses what is not a document yet."""
    return source if isinstance(source, Document) else parse(source, context=context)


def _live_bytes(source: Source | None) -> bytes:
    """A list of objects is written as a List, as kubectl prints them; with texts among them, as a
    stream."""
    if source is None:
        return b""
    if isinstance(source, (list, tuple)):
        items = cast("Sequence[object]", source)
        if any(is_text(one) or isinstance(one, Parsed) for one in items):
            return b"\n---\n".join(to_bytes(one) for one in items)
        if any(hasattr(one, "attribute_map") and not getattr(one, "kind", None) for one in items):
            raise ValueError(
                "an object of the Kubernetes client has no kind, which the API server leaves out "
                "of a list's items: pass the list itself, not its items"
            )
        source = {"apiVersion": "v1", "kind": "List", "items": list(items)}
    return to_bytes(source)


def parse_live(
    source: Source | None, *, diagnose: bool = False, context: Context | None = None
) -> Document:
    """Reads the objects that exist, once for any number of Plan.reconcile(): text as `kubectl get
    -o json` prints it, any other form of a document, or a list of them. None: no object exists.
    `diagnose` keeps what diagnose() reads, too: conditions and events with their texts, nodes,
    queues, quotas."""
    data = _live_bytes(source)
    is_placed = source is None or has_places(source)
    places = no_places if is_placed else every_type
    flags = LIVE_DIAGNOSE if diagnose else LIVE_NO_FLAGS
    pointer = made(context, LIBRARY.gang_document_parse_live, data, len(data), flags, places=places)
    return Document(Handle(pointer, LIBRARY.gang_document_unref), is_placed, data)


def as_live(source: Document | Source | None, context: Context | None) -> Document:
    """Parses what is not a document yet."""
    return source if isinstance(source, Document) else parse_live(source, context=context)


@dataclass(frozen=True, slots=True)
class Part:
    """One document of a stream: its text, not yet checked. `line` is where it starts in the stream,
    from 1. An item of a List (`is_item`) has the line of the List, and its text is JSON."""

    text: bytes
    line: int
    api_version: str | None
    kind: str | None
    name: str | None
    namespace: str | None
    is_item: bool = False


class Stream(Closing):
    """The documents of one text, as `kustomize build` or `kubectl get -o yaml` prints them."""

    __slots__ = ("_handle",)

    def __init__(self, source: str | bytes, *, context: Context | None = None) -> None:
        self._handle = None
        data = to_bytes(source)
        pointer = made(context, LIBRARY.gang_stream_parse, data, len(data), 0)
        self._handle = Handle(pointer, LIBRARY.gang_stream_unref)

    def __len__(self) -> int:
        handle = self._live()
        return LIBRARY.gang_stream_num_documents(handle.pointer)

    def __getitem__(self, index: int) -> Part:
        handle = self._live()
        index = self._position(index)
        length = c_size_t()
        data = LIBRARY.gang_stream_get_data(handle.pointer, index, byref(length))
        return Part(
            text=string_at(data, length.value) if data else b"",
            line=LIBRARY.gang_stream_get_line(handle.pointer, index),
            api_version=text(LIBRARY.gang_stream_get_api_version(handle.pointer, index)),
            kind=text(LIBRARY.gang_stream_get_kind(handle.pointer, index)),
            name=text(LIBRARY.gang_stream_get_name(handle.pointer, index)),
            namespace=text(LIBRARY.gang_stream_get_namespace(handle.pointer, index)),
        )

    def _position(self, index: int) -> int:
        count = len(self)
        if not -count <= index < count:
            raise IndexError("there is no such document in the stream")
        return index % count

    def serialize(self, index: int, format: Format | str = Format.JSON) -> bytes:
        """One document in another format, for a reader that knows only one of them."""
        handle = self._live()
        arguments = (handle.pointer, self._position(index), Format(format).number, 0)
        return written(None, LIBRARY.gang_stream_serialize, *arguments)


def split(source: str | bytes, *, context: Context | None = None) -> tuple[Part, ...]:
    """The documents of one text, in order."""
    with Stream(source, context=context) as stream:
        return tuple(stream[index] for index in range(len(stream)))
