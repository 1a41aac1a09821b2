/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang.hpp
 * @brief gang.h for C++17: handles that release themselves, results, and ranges. Header only.
 *
 * A handle holds one reference, or nothing. Copying takes another reference; moving does not. The
 * names are those of gang.h without `gang_`, and what a function means is documented there. get()
 * gives the pointer for every function of gang.h that has no method here.
 *
 * No function throws, so `-fno-exceptions` and `-fno-rtti` are possible. A function that can fail
 * returns a Result: the code, the value and the error. Text is std::string_view and borrowed from
 * its handle: keep the handle as long as the text. Absent text is empty; its data() is null.
 *
 * @par Thread safety
 * That of gang.h: any number of threads may use one object through const handles, and copy them.
 * One handle may be assigned to, and Inputs changed, only while no other thread uses it.
 * @since 0.1
 */
#ifndef GANG_GANG_HPP
#define GANG_GANG_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include <gang/gang.h>

namespace gang {

/** Text of gang.h; empty for NULL. @since 0.1 */
inline std::string_view text(const char *data) noexcept
{
    return data ? std::string_view(data) : std::string_view();
}

/** One reference to an immutable object, or nothing. @since 0.1 */
template <class T, T *(*take_reference)(const T *), void (*release)(const T *)>
class Shared {
  public:
    Shared() noexcept = default;
    /** Takes over a reference of the caller. */
    explicit Shared(T *owned) noexcept : object(owned) {}
    Shared(const Shared &other) noexcept : object(take_reference(other.object)) {}
    Shared(Shared &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
    ~Shared() { release(object); }

    Shared &operator=(Shared other) noexcept
    {
        std::swap(object, other.object);
        return *this;
    }

    /** Whether there is an object. */
    explicit operator bool() const noexcept { return object != nullptr; }
    /** Borrowed; NULL if there is none. */
    T *get() const noexcept { return object; }
    /** The place for a function of gang.h to return a new object, once, in an empty handle. */
    T **out() noexcept { return &object; }

  private:
    T *object = nullptr;
};

/** What `num(owner)` and `item(owner, index)` of gang.h list. Borrowed. @since 0.1 */
template <class Item, class Owner, std::size_t (*num)(const Owner *),
          auto(*item)(const Owner *, std::size_t)->const typename Item::pointee *>
class Range {
  public:
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Item;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Item;

        iterator() noexcept = default;
        iterator(const Owner *of, std::size_t at) noexcept : owner(of), index(at) {}
        Item operator*() const noexcept { return Item(item(owner, index)); }
        iterator &operator++() noexcept { return ++index, *this; }
        iterator operator++(int) noexcept { return iterator(owner, index++); }
        bool operator==(const iterator &other) const noexcept { return index == other.index; }
        bool operator!=(const iterator &other) const noexcept { return index != other.index; }

      private:
        const Owner *owner = nullptr;
        std::size_t index = 0;
    };

    explicit Range(const Owner *of) noexcept : owner(of) {}
    std::size_t size() const noexcept { return num(owner); }
    bool empty() const noexcept { return size() == 0; }
    Item operator[](std::size_t index) const noexcept { return Item(item(owner, index)); }
    iterator begin() const noexcept { return iterator(owner, 0); }
    iterator end() const noexcept { return iterator(owner, size()); }

  private:
    const Owner *owner;
};

/** One diagnostic. Borrowed from the error, document, decision or plan that lists it. @since 0.1 */
class Diagnostic {
  public:
    using pointee = gang_diagnostic;
    explicit Diagnostic(const gang_diagnostic *borrowed) noexcept : diagnostic(borrowed) {}

    gang_code code() const noexcept { return gang_code(gang_diagnostic_get_code(diagnostic)); }
    std::string_view id() const noexcept { return text(gang_diagnostic_get_id(diagnostic)); }
    gang_severity severity() const noexcept
    {
        return gang_severity(gang_diagnostic_get_severity(diagnostic));
    }
    gang_document_type document() const noexcept
    {
        return gang_document_type(gang_diagnostic_get_document(diagnostic));
    }
    std::string_view kind() const noexcept { return text(gang_diagnostic_get_kind(diagnostic)); }
    std::string_view namespace_() const noexcept
    {
        return text(gang_diagnostic_get_namespace(diagnostic));
    }
    std::string_view name() const noexcept { return text(gang_diagnostic_get_name(diagnostic)); }
    std::string_view job() const noexcept { return text(gang_diagnostic_get_job(diagnostic)); }
    std::string_view path() const noexcept { return text(gang_diagnostic_get_path(diagnostic)); }
    std::uint32_t line() const noexcept { return gang_diagnostic_get_line(diagnostic); }
    std::uint32_t column() const noexcept { return gang_diagnostic_get_column(diagnostic); }
    std::string_view message() const noexcept
    {
        return text(gang_diagnostic_get_message(diagnostic));
    }
    std::string_view hint() const noexcept { return text(gang_diagnostic_get_hint(diagnostic)); }
    const gang_diagnostic *get() const noexcept { return diagnostic; }

  private:
    const gang_diagnostic *diagnostic;
};

/** All diagnostics of a failed call, or nothing. Move only. @since 0.1 */
class Error {
  public:
    using Diagnostics =
        Range<Diagnostic, gang_error, gang_error_num_diagnostics, gang_error_get_diagnostic>;

    Error() noexcept = default;
    Error(Error &&other) noexcept : error(std::exchange(other.error, nullptr)) {}
    ~Error() { gang_error_free(error); }

    Error &operator=(Error &&other) noexcept
    {
        std::swap(error, other.error);
        return *this;
    }

    explicit operator bool() const noexcept { return error != nullptr; }
    Diagnostics diagnostics() const noexcept { return Diagnostics(error); }
    const gang_error *get() const noexcept { return error; }
    gang_error **out() noexcept { return &error; }

  private:
    gang_error *error = nullptr;
};

/**
 * What a call returned. gang_resolve() and gang_reconcile() can return a value together with an
 * error, so ask both. @since 0.1
 */
template <class T>
struct Result {
    gang_result code = GANG_OK;
    T value;
    Error error;

    /** Whether the call succeeded. */
    explicit operator bool() const noexcept { return code == GANG_OK; }

    /** Calls a function of gang.h with the arguments, `out` and `err`. */
    template <class Function, class... Arguments>
    static Result of(Function function, Arguments... arguments) noexcept
    {
        Result result;

        result.code = gang_result(function(arguments..., result.value.out(), result.error.out()));
        return result;
    }
};

/** Serialized text. @since 0.1 */
class Blob : public Shared<gang_blob, gang_blob_ref, gang_blob_unref> {
  public:
    using Shared::Shared;

    std::string_view view() const noexcept
    {
        std::size_t len = 0;
        const char *data = gang_blob_get_data(get(), &len);

        return std::string_view(data, len);
    }
};

/** Limits; an empty context has the default ones. @since 0.1 */
class Context : public Shared<gang_context, gang_context_ref, gang_context_unref> {
  public:
    using Shared::Shared;

    /**
     * Limits that differ from the default ones, and the bytes of a workspace, see
     * gang_config_set_workspace(). Has no diagnostics.
     */
    static Result<Context>
    with(std::initializer_list<std::pair<gang_limit, std::uint64_t>> limits,
         std::uint64_t workspace = 0) noexcept
    {
        Result<Context> result;
        gang_config *config = gang_config_new();
        int code = config ? GANG_OK : GANG_ERROR_NO_MEMORY;

        for (auto limit = limits.begin(); code == GANG_OK && limit != limits.end(); ++limit)
            code = gang_config_set_limit(config, limit->first, limit->second);
        if (code == GANG_OK)
            code = gang_config_set_workspace(config, workspace);
        if (code == GANG_OK)
            code = gang_context_new(config, result.value.out());
        gang_config_free(config);
        result.code = gang_result(code);
        return result;
    }
};

/** The documents of one text. @since 0.1 */
class Stream : public Shared<gang_stream, gang_stream_ref, gang_stream_unref> {
  public:
    using Shared::Shared;

    static Result<Stream> parse(std::string_view text, std::uint32_t flags = 0,
                                const Context &context = {}) noexcept
    {
        return Result<Stream>::of(gang_stream_parse, context.get(), text.data(), text.size(),
                                  flags);
    }

    std::size_t size() const noexcept { return gang_stream_num_documents(get()); }
    std::string_view kind(std::size_t index) const noexcept
    {
        return text(gang_stream_get_kind(get(), index));
    }
    std::string_view name(std::size_t index) const noexcept
    {
        return text(gang_stream_get_name(get(), index));
    }
    /** The text of one document, for Document::parse(). */
    std::string_view data(std::size_t index) const noexcept
    {
        std::size_t len = 0;
        const char *data = gang_stream_get_data(get(), index, &len);

        return std::string_view(data, len);
    }
    std::uint32_t line(std::size_t index) const noexcept
    {
        return gang_stream_get_line(get(), index);
    }
};

/** A job, runtime, policy, cluster, or existing objects. @since 0.1 */
class Document : public Shared<gang_document, gang_document_ref, gang_document_unref> {
  public:
    using Shared::Shared;
    using Diagnostics =
        Range<Diagnostic, gang_document, gang_document_num_diagnostics,
              gang_document_get_diagnostic>;

    static Result<Document> parse(std::string_view text, std::uint32_t flags = 0,
                                  const Context &context = {}) noexcept
    {
        return Result<Document>::of(gang_document_parse, context.get(), text.data(), text.size(),
                                    flags);
    }

    /** `name` must end with a NUL. */
    static Result<Document> parse_named(std::string_view text, const char *name,
                                        std::uint32_t line = 1, std::uint32_t column = 1,
                                        std::uint32_t flags = 0,
                                        const Context &context = {}) noexcept
    {
        return Result<Document>::of(gang_document_parse_named, context.get(), text.data(),
                                    text.size(), name, line, column, flags);
    }

    static Result<Document> parse_live(std::string_view text, std::uint32_t flags = 0,
                                       const Context &context = {}) noexcept
    {
        return Result<Document>::of(gang_document_parse_live, context.get(), text.data(),
                                    text.size(), flags);
    }

    gang_document_type type() const noexcept
    {
        return gang_document_type(gang_document_get_type(get()));
    }
    std::string_view api_version() const noexcept
    {
        return text(gang_document_get_api_version(get()));
    }
    std::string_view kind() const noexcept { return text(gang_document_get_kind(get())); }
    std::string_view namespace_() const noexcept
    {
        return text(gang_document_get_namespace(get()));
    }
    std::string_view name() const noexcept { return text(gang_document_get_name(get())); }
    std::string_view uid() const noexcept { return text(gang_document_get_uid(get())); }
    std::string_view reference(const char *kind) const noexcept
    {
        return text(gang_document_get_reference(get(), kind));
    }
    std::uint64_t num_gangs() const noexcept { return gang_document_num_gangs(get()); }
    Diagnostics diagnostics() const noexcept { return Diagnostics(get()); }

    /** One gang of a job as a GangJob. */
    Result<Blob> serialize_job(std::uint64_t gang_index, gang_format format,
                               const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_job_serialize, context.get(), get(), gang_index, int(format),
                                0u);
    }
};

/** The documents that a job is resolved with. Keeps a reference to each. Move only. @since 0.1 */
class Inputs {
  public:
    /** Without memory the inputs are empty: each method then fails. */
    Inputs() noexcept : inputs(gang_inputs_new()) {}
    Inputs(Inputs &&other) noexcept : inputs(std::exchange(other.inputs, nullptr)) {}
    ~Inputs() { gang_inputs_free(inputs); }

    Inputs &operator=(Inputs &&other) noexcept
    {
        std::swap(inputs, other.inputs);
        return *this;
    }

    gang_result add(const Document &document) noexcept
    {
        return gang_result(gang_inputs_add(inputs, document.get()));
    }
    /** `uid` must end with a NUL. */
    gang_result set_created_uid(const char *uid) noexcept
    {
        return gang_result(gang_inputs_set_created_uid(inputs, uid));
    }
    gang_result set_run_number(std::int64_t run_number) noexcept
    {
        return gang_result(gang_inputs_set_run_number(inputs, run_number));
    }
    gang_result set_gang_index(std::uint64_t gang_index) noexcept
    {
        return gang_result(gang_inputs_set_gang_index(inputs, gang_index));
    }
    gang_inputs *get() noexcept { return inputs; }
    const gang_inputs *get() const noexcept { return inputs; }

  private:
    gang_inputs *inputs;
};

/** The chosen backend, the gang, and the reasons. @since 0.1 */
class Decision : public Shared<gang_decision, gang_decision_ref, gang_decision_unref> {
  public:
    using Shared::Shared;
    using Diagnostics =
        Range<Diagnostic, gang_decision, gang_decision_num_diagnostics,
              gang_decision_get_diagnostic>;

    gang_outcome outcome() const noexcept { return gang_outcome(gang_decision_get_outcome(get())); }
    std::string_view backend() const noexcept { return text(gang_decision_get_backend(get())); }
    std::string_view scheduler_name() const noexcept
    {
        return text(gang_decision_get_scheduler_name(get()));
    }
    std::string_view queue() const noexcept { return text(gang_decision_get_queue(get())); }
    std::string_view reason() const noexcept { return text(gang_decision_get_reason(get())); }
    auto minimum() const noexcept { return gang_decision_get_minimum(get()); }
    auto members() const noexcept { return gang_decision_get_members(get()); }
    auto pods() const noexcept { return gang_decision_get_pods(get()); }
    Diagnostics diagnostics() const noexcept { return Diagnostics(get()); }

    Result<Blob> serialize(gang_format format, std::uint32_t flags = 0,
                           const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_decision_serialize, context.get(), get(), int(format), flags);
    }

    Result<Blob> prepare_pod(std::string_view pod, gang_format format,
                             const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_decision_prepare_pod, context.get(), get(), pod.data(),
                                pod.size(), int(format), 0u);
    }
};

/** One object of a plan. Borrowed from the plan. @since 0.1 */
class Object {
  public:
    using pointee = gang_object;
    explicit Object(const gang_object *borrowed) noexcept : object(borrowed) {}

    gang_action action() const noexcept { return gang_action(gang_object_get_action(object)); }
    std::string_view api_version() const noexcept
    {
        return text(gang_object_get_api_version(object));
    }
    std::string_view kind() const noexcept { return text(gang_object_get_kind(object)); }
    std::string_view namespace_() const noexcept { return text(gang_object_get_namespace(object)); }
    std::string_view name() const noexcept { return text(gang_object_get_name(object)); }
    const gang_object *get() const noexcept { return object; }

    Result<Blob> serialize(gang_format format, const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_object_serialize, context.get(), object, int(format), 0u);
    }

  private:
    const gang_object *object;
};

/** The fields to set in the pods of one role, or in the job. Borrowed from the plan. @since 0.1 */
class Patch {
  public:
    using pointee = gang_patch;
    explicit Patch(const gang_patch *borrowed) noexcept : patch(borrowed) {}

    std::string_view role() const noexcept { return text(gang_patch_get_role(patch)); }
    auto target() const noexcept { return gang_patch_get_target(patch); }
    std::size_t num_fields(gang_patch_section section) const noexcept
    {
        return gang_patch_num_fields(patch, section);
    }
    /** Key and value of one field. */
    std::pair<std::string_view, std::string_view> field(gang_patch_section section,
                                                        std::size_t index) const noexcept
    {
        return {text(gang_patch_get_key(patch, section, index)),
                text(gang_patch_get_value(patch, section, index))};
    }
    const gang_patch *get() const noexcept { return patch; }

    Result<Blob> serialize(gang_format format, const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_patch_serialize, context.get(), patch, int(format), 0u);
    }

  private:
    const gang_patch *patch;
};

/** The objects to write and the patches for the pods. @since 0.1 */
class Plan : public Shared<gang_plan, gang_plan_ref, gang_plan_unref> {
  public:
    using Shared::Shared;
    using Objects = Range<Object, gang_plan, gang_plan_num_objects, gang_plan_get_object>;
    using Patches = Range<Patch, gang_plan, gang_plan_num_patches, gang_plan_get_patch>;
    using Diagnostics =
        Range<Diagnostic, gang_plan, gang_plan_num_diagnostics, gang_plan_get_diagnostic>;

    Objects objects() const noexcept { return Objects(get()); }
    Patches patches() const noexcept { return Patches(get()); }
    Diagnostics diagnostics() const noexcept { return Diagnostics(get()); }

    Result<Blob> serialize(gang_target target, gang_format format, std::uint32_t flags = 0,
                           const Context &context = {}) const noexcept
    {
        return Result<Blob>::of(gang_plan_serialize, context.get(), get(), int(target), int(format),
                                flags);
    }

    /** The plan against the existing objects. Can return a plan together with an error. */
    Result<Plan> reconcile(const Document &live, std::uint32_t flags = 0,
                           const Context &context = {}) const noexcept
    {
        return Result<Plan>::of(gang_reconcile, context.get(), get(), live.get(), flags);
    }
};

/** Can return a decision together with an error. @since 0.1 */
inline Result<Decision> resolve(const Document &job, const Inputs &inputs, std::uint32_t flags = 0,
                                const Context &context = {}) noexcept
{
    return Result<Decision>::of(gang_resolve, context.get(), job.get(), inputs.get(), flags);
}

/** @since 0.1 */
inline Result<Plan> render(const Decision &decision, std::uint32_t flags = 0,
                           const Context &context = {}) noexcept
{
    return Result<Plan>::of(gang_render, context.get(), decision.get(), flags);
}

/** `now` may be NULL, or ends with a NUL. @since 0.1 */
inline Result<Blob> diagnose(const Document &job, const Inputs &inputs, const Document &live,
                             const char *now, gang_format format, std::uint32_t flags = 0,
                             const Context &context = {}) noexcept
{
    return Result<Blob>::of(gang_diagnose, context.get(), job.get(), inputs.get(),
                            static_cast<const gang_document *>(live.get()), now, int(format),
                            flags);
}

} // namespace gang

#endif
