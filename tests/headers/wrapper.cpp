/* SPDX-License-Identifier: Apache-2.0 */
/* gang.hpp gives the answers of gang.h, and takes and releases references as a C++ value does.
 * AddressSanitizer and valgrind see what is released too often, and what never is. */
#include <gang/gang.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace {

int number;
bool all_passed = true;

void check(bool passed, const char *title)
{
    std::printf("%s %d - %s\n", passed ? "ok" : "not ok", ++number, title);
    all_passed = all_passed && passed;
}

constexpr std::string_view job_text = R"({"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangJob", "metadata": {"name": "j", "namespace": "ml"}, "spec": {
"owner": {"apiVersion": "example.com/v1", "kind": "Job", "uid": "u"},
"roles": [{"name": "worker", "count": 4, "requests": {"cpu": "2"}}]}})";
constexpr std::string_view policy_text = R"({"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangPolicy", "metadata": {"name": "p"}, "spec": {
"defaultBackend": "volcano", "backends": [{"name": "volcano", "type": "Volcano"}]}})";

gang::Document parsed(std::string_view text)
{
    gang::Result<gang::Document> result = gang::Document::parse(text);

    for (gang::Diagnostic diagnostic : result.error.diagnostics())
        std::printf("# %s: %s\n", std::string(diagnostic.path()).c_str(),
                    std::string(diagnostic.message()).c_str());
    return result.value;
}

std::string plan_by_c()
{
    gang_document *job = nullptr, *policy = nullptr;
    gang_inputs *inputs = gang_inputs_new();
    gang_decision *decision = nullptr;
    gang_plan *plan = nullptr;
    gang_blob *blob = nullptr;
    std::string text;

    if (gang_document_parse(nullptr, job_text.data(), job_text.size(), 0, &job, nullptr) == 0 &&
        gang_document_parse(nullptr, policy_text.data(), policy_text.size(), 0, &policy, nullptr) ==
            0 &&
        gang_inputs_add(inputs, policy) == 0 &&
        gang_resolve(nullptr, job, inputs, 0, &decision, nullptr) == 0 &&
        gang_render(nullptr, decision, 0, &plan, nullptr) == 0 &&
        gang_plan_serialize(nullptr, plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, &blob, nullptr) ==
            0)
        text = gang_blob_get_data(blob, nullptr);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(policy);
    gang_document_unref(job);
    return text;
}

gang::Plan plan_by_wrapper()
{
    gang::Inputs inputs;

    if (inputs.add(parsed(policy_text)) != GANG_OK)
        return {};
    return gang::render(gang::resolve(parsed(job_text), inputs).value).value;
}

void check_plan()
{
    const gang::Plan plan = plan_by_wrapper();
    const gang::Blob blob = plan.serialize(GANG_TARGET_PLAN, GANG_FORMAT_JSON).value;
    const std::string expected = plan_by_c();

    check(!expected.empty() && blob.view() == expected, "the plan is that of gang.h");
    check(plan.objects().size() == 1 && plan.objects()[0].kind() == "PodGroup" &&
              plan.objects()[0].name() == "j" && plan.objects()[0].namespace_() == "ml",
          "an object of the plan");
    check(plan.objects()[0].action() == GANG_ACTION_CREATE, "its action");
    for (gang::Object object : plan.objects())
        check(object.serialize(GANG_FORMAT_JSON).value.view().find("\"minMember\":4") !=
                  std::string_view::npos,
              "its text");
    check(plan.patches().size() == 1 && plan.patches()[0].role() == "worker",
          "a patch of the plan");
    check(plan.patches()[0].num_fields(GANG_PATCH_SPEC) == 1 &&
              plan.patches()[0].field(GANG_PATCH_SPEC, 0) ==
                  std::pair<std::string_view, std::string_view>("schedulerName", "volcano"),
          "a field of the patch");
}

void check_decision()
{
    const gang::Document job = parsed(job_text);
    gang::Inputs inputs;
    gang::Decision decision;

    check(job.kind() == "GangJob" && job.name() == "j" && job.num_gangs() == 1 &&
              job.type() == GANG_DOCUMENT_JOB,
          "what a document says");
    (void)inputs.add(parsed(policy_text));
    decision = gang::resolve(job, inputs).value;
    check(decision.outcome() == GANG_OUTCOME_GANG && decision.backend() == "volcano" &&
              decision.minimum() == 4 && decision.pods() == 4,
          "what a decision says");
    check(decision.serialize(GANG_FORMAT_TEXT).value.view().find("minimum") !=
              std::string_view::npos,
          "the text of a decision");
    check(decision.queue().empty(), "absent text is empty");
}

void check_errors()
{
    const gang::Result<gang::Document> broken =
        gang::Document::parse_named("{\"kind\": \"GangJob\",\n \"kind\": 1}", "two.json");
    gang::Result<gang::Document> none = gang::Document::parse("");
    std::vector<std::uint32_t> lines;

    check(!broken && broken.code == GANG_ERROR_SYNTAX && !broken.value && broken.error,
          "a document that cannot be parsed");
    for (gang::Diagnostic diagnostic : broken.error.diagnostics())
        lines.push_back(diagnostic.line());
    check(!lines.empty() && lines.size() == broken.error.diagnostics().size(), "all its diagnostics");
    check(lines[0] == 2 && broken.error.diagnostics()[0].severity() == GANG_SEVERITY_ERROR &&
              !broken.error.diagnostics()[0].message().empty() &&
              broken.error.diagnostics()[0].id().substr(0, 4) == "GANG",
          "the place of a diagnostic");
    check(!none && none.error, "an empty text");
    const auto all = broken.error.diagnostics();
    check(std::count_if(all.begin(), all.end(),
                        [](gang::Diagnostic one) { return one.line() == 2; }) > 0 &&
              std::vector<gang::Diagnostic>(all.begin(), all.end()).size() == all.size(),
          "the algorithms of the standard library");
    check(gang::Error().diagnostics().empty(), "no error has no diagnostics");
    check(gang::render(gang::Decision()).code == GANG_ERROR_INVALID_ARGUMENT, "an empty handle");
}

/* gang_resolve() returns a decision beside the error. */
void check_denied()
{
    constexpr std::string_view deny = R"({"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangPolicy", "metadata": {"name": "p"}, "spec": {"backends": [{"name": "volcano", "type": "Volcano"}],
"rules": [{"name": "no", "match": {}, "action": "Deny", "message": "not today"}]}})";
    gang::Inputs inputs;

    check(inputs.add(parsed(deny)) == GANG_OK, "a policy that denies");
    const auto result = gang::resolve(parsed(job_text), inputs);
    check(result.code == GANG_ERROR_DENIED && result.error &&
              result.value.outcome() == GANG_OUTCOME_DENIED,
          "an error and a decision");
}

void check_references()
{
    gang::Document first = parsed(job_text);
    gang::Document second = first;
    gang::Document third = std::move(first);

    check(!first && second.get() == third.get(), "a copy shares, a move empties");
    third = second;
    third = std::move(third);
    second = {};
    check(!second && third.name() == "j", "the last reference keeps the object");
    check(!std::is_copy_constructible<gang::Inputs>::value &&
              !std::is_copy_constructible<gang::Error>::value,
          "builders and errors are not copied");
}

void check_limits()
{
    const auto small = gang::Context::with({{GANG_LIMIT_DOCUMENT_BYTES, 10}});
    const auto refused = gang::Document::parse(job_text, 0, small.value);

    check(bool(small) && refused.code == GANG_ERROR_LIMIT, "a limit of a context");
    check(gang::Context::with({{gang_limit(0), 10}}).code == GANG_ERROR_INVALID_ARGUMENT,
          "a limit that does not exist");
    check(bool(gang::Document::parse(job_text, 0, gang::Context::with({}, 65536).value)),
          "a document outlives the workspace that its memory is of");
}

void check_stream()
{
    const std::string two = std::string(job_text) + "\n" + std::string(policy_text);
    const gang::Stream stream = gang::Stream::parse(two).value;

    check(stream.size() == 2 && stream.kind(0) == "GangJob" && stream.name(1) == "p" &&
              gang::Document::parse(stream.data(1)).value.kind() == "GangPolicy",
          "the documents of a text");
}

} // namespace

int main()
{
    check_plan();
    check_decision();
    check_errors();
    check_denied();
    check_references();
    check_limits();
    check_stream();
    std::printf("1..%d\n", number);
    return all_passed ? 0 : 1;
}
