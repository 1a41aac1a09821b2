/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/finding.h"
#include "libgang/trainer/ml_rules.h"
#include "libgang/trainer/vocabulary.h"

/* Runtime names are `torchtune-<family>-<size>`. Source: plugins/torch/torchtune.go@v2.3.0, constants.go. */
struct torchtune_model {
    struct slice family;
    struct slice size; /* compared without case */
    const char *name;
    bool several_nodes;
    bool quantized; /* QLoRA is supported at all */
    bool quantized_on_one_device_only;
};

static const struct torchtune_model torchtune_models[] = {
    {SLICE_INIT("llama3.2"), SLICE_INIT("1b"), "llama3_2/1B", false, true, true},
    {SLICE_INIT("llama3.2"), SLICE_INIT("3b"), "llama3_2/3B", false, true, true},
    {SLICE_INIT("llama3.3"), SLICE_INIT("70b"), "llama3_3/70B", true, true, false},
    {SLICE_INIT("qwen2.5"), SLICE_INIT("1.5b"), "qwen2_5/1.5B", false, false, false},
};

/* What the runtime injects itself. */
static const struct slice torchtune_fixed_arguments[] = {
    SLICE_INIT("output_dir"),
    SLICE_INIT("tokenizer.path"),
    SLICE_INIT("checkpointer.checkpoint_dir"),
    SLICE_INIT("tokenizer.merges_file"),
};

static char
ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The operator turns the dots of the family into underscores, so both spellings name a model. */
static bool
family_equal(struct slice text, struct slice family)
{
    if (text.len != family.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] != family.data[i] && !(text.data[i] == '_' && family.data[i] == '.'))
            return false;
    return true;
}

static bool
equal_ignoring_case(struct slice text, struct slice lower)
{
    if (text.len != lower.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (ascii_lower(text.data[i]) != lower.data[i])
            return false;
    return true;
}

static struct slice
cut_before(struct slice *rest, char separator)
{
    const char *found = rest->len ? memchr(rest->data, separator, rest->len) : NULL;
    struct slice head = {rest->data, found ? (size_t)(found - rest->data) : rest->len};
    size_t used = head.len + (found != NULL);

    *rest = (struct slice){found ? rest->data + used : NULL, rest->len - used};
    return head;
}

/* Exactly three parts; the first may be anything. */
static const struct torchtune_model *
torchtune_model_of(struct slice runtime_name)
{
    struct slice rest = runtime_name;
    struct slice family;
    struct slice size;

    cut_before(&rest, '-');
    family = cut_before(&rest, '-');
    size = cut_before(&rest, '-');
    if (slice_is_set(rest))
        return NULL;
    for (size_t i = 0; i < sizeof(torchtune_models) / sizeof(torchtune_models[0]); i++)
        if (family_equal(family, torchtune_models[i].family) &&
            equal_ignoring_case(size, torchtune_models[i].size))
            return &torchtune_models[i];
    return NULL;
}

static bool
contains(struct slice text, struct slice part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (memcmp(text.data + i, part.data, part.len) == 0)
            return true;
    return false;
}

static bool
any_argument_contains(const struct node *arguments, struct slice part)
{
    for (NODE_EACH(argument, arguments))
        if (contains(node_string(argument), part))
            return true;
    return false;
}

static bool
is_ascii_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct slice
trim_spaces(struct slice text)
{
    while (text.len && is_ascii_space(text.data[0]))
        text = (struct slice){text.data + 1, text.len - 1};
    while (text.len && is_ascii_space(text.data[text.len - 1]))
        text.len--;
    return text;
}

/* `...key...=true`, in any case. */
static bool
any_argument_enables(const struct node *arguments, struct slice key)
{
    for (NODE_EACH(argument, arguments)) {
        struct slice value = node_string(argument);
        struct slice name = cut_before(&value, '=');

        if (slice_is_set(value) && contains(name, key) &&
            equal_ignoring_case(trim_spaces(value), SLICE("true")))
            return true;
    }
    return false;
}

static bool
uses_quantized_lora(const struct node *arguments)
{
    return !any_argument_enables(arguments, SLICE("model.use_dora")) &&
           any_argument_enables(arguments, SLICE("model.quantize_base"));
}

static bool
names_gpu(struct slice resource)
{
    for (size_t i = 0; i + 3 <= resource.len; i++)
        if (equal_ignoring_case((struct slice){resource.data + i, 3}, SLICE("gpu")))
            return true;
    return false;
}

/* Zero when no resource is a GPU; a part of one is rounded up, as Quantity.Value() does. */
static int64_t
gpus_of(const struct resource_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (names_gpu(list->items[i].name))
            return (int64_t)((list->items[i].quantity.nano + 999999999) / 1000000000);
    return 0;
}

static int64_t
gpus_of_runtime(const struct trainer_job *job)
{
    for (size_t i = 0; i < job->jobset.count; i++) {
        const struct replicated_job *role = &job->jobset.jobs[i];
        struct slice label = node_string(
            node_member(node_member(role->job_metadata, SLICE("labels")), TRAINER_ANCESTOR_LABEL));

        if (!slice_equal(role->name, TRAINER_NODE) && !slice_equal(label, SLICE("trainer")))
            continue;
        for (size_t k = 0; k < role->resources.num_containers; k++)
            if (slice_equal(role->resources.containers[k].name, TRAINER_NODE)) {
                int64_t requested = gpus_of(&role->resources.containers[k].requests);

                return requested ? requested : gpus_of(&role->resources.containers[k].limits);
            }
    }
    return 0;
}

static int64_t
gpus_per_node(const struct trainer_job *job)
{
    int64_t requested;

    if (!job->trainjob->resources_per_node)
        return gpus_of_runtime(job);
    requested = gpus_of(&job->trainjob->node_requests);
    return requested ? requested : gpus_of(&job->trainjob->node_limits);
}

static bool
runs_on_one_device(const struct trainer_job *job)
{
    int64_t processes;

    return (node_int(node_member(job->trainjob->trainer, SLICE("numProcPerNode")), &processes) &&
            processes == 1) ||
           gpus_per_node(job) == 1;
}

static void
check_quantized(const struct trainer_job *job, const struct torchtune_model *model, struct report *report)
{
    if (!model->quantized)
        find_invalid(report, GANG_CODE_TORCH_TUNE_RULE,
                     node_member(job->trainjob->runtime_ref.source, SLICE("name")), NULL,
                     "QLoRA is not supported for %s model", model->name);
    if (!model->quantized_on_one_device_only || runs_on_one_device(job))
        return;
    find_note_below(report, GANG_CODE_TORCH_TUNE_RULE, job->trainjob->trainer, SLICE("numProcPerNode"), NULL,
                    "Invalid value: must be auto or 1 for %s model when using QLoRA", model->name);
    find_note_below(report, GANG_CODE_TORCH_TUNE_RULE, job->trainjob->trainer, SLICE("resourcesPerNode"),
                    NULL, "Invalid value: must have gpu resource with value 1 for %s model when using QLoRA",
                    model->name);
}

static void
check_nodes(const struct trainer_job *job, const struct torchtune_model *model, struct report *report)
{
    const struct node *arguments = node_member(job->trainjob->trainer, SLICE("args"));
    const struct node *nodes = job->trainjob->num_nodes_source;

    if (!nodes || job->trainjob->num_nodes <= 1)
        return;
    if (!model || !model->several_nodes)
        find_invalid(report, GANG_CODE_TORCH_TUNE_RULE, nodes, NULL, "must be 1 for %s model",
                     model ? model->name : "");
    if (any_argument_contains(arguments, SLICE("model.lora_attn_modules")) || uses_quantized_lora(arguments))
        find_invalid(report, GANG_CODE_TORCH_TUNE_RULE, nodes, NULL,
                     "LoRA fine-tuning is not supported for multi-node training in TorchTune");
}

static void
check_arguments(const struct node *arguments, struct report *report)
{
    for (NODE_EACH(argument, arguments)) {
        struct slice rest = node_string(argument);
        struct slice key = cut_before(&rest, '=');

        for (size_t i = 0; i < sizeof(torchtune_fixed_arguments) / sizeof(torchtune_fixed_arguments[0]); i++)
            if (slice_equal(key, torchtune_fixed_arguments[i]))
                find_invalid(
                    report, GANG_CODE_TORCH_TUNE_RULE, argument, NULL,
                    "must not set immutable config \"%.*s\" in trainer args; it is managed by the runtime",
                    SLICE_ARG(key));
    }
}

void
torchtune_rules_check(const struct trainer_job *job, struct report *report)
{
    const struct gang_trainjob *trainjob = job->trainjob;
    const struct node *arguments = node_member(trainjob->trainer, SLICE("args"));
    const struct torchtune_model *model = torchtune_model_of(trainjob->runtime_ref.name);
    bool one_node = !trainjob->num_nodes_source || trainjob->num_nodes == 1;

    if (!model)
        find_invalid(report, GANG_CODE_TORCH_TUNE_RULE,
                     node_member(trainjob->runtime_ref.source, SLICE("name")), NULL,
                     "must have a supported pretrained model");
    check_nodes(job, model, report);
    if (model && one_node && uses_quantized_lora(arguments))
        check_quantized(job, model, report);
    check_arguments(arguments, report);
}
