# SPDX-License-Identifier: Apache-2.0
"""What the picture of a plan must show. Each rule is one a reader relies on, checked on the SVG itself."""

import itertools
import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
CLASSES = {"Member": "member", "LateMember": "late", "Outside": "outside"}
LINE_HEIGHT = 18
BOX_HEIGHT = 60  # the legend's keys are lower
# The width of characters in thousandths of their size, as recorded from DejaVu Sans and DejaVu Sans
# Bold, the widest of the fonts that browsers use for `sans-serif`. Others: the last number.
REGULAR = [(275, "'"), (318, "ijlIJ ,."), (401, "/:;\\|f-()[]t!"), (525, 'r"*_`sz'), (592, "?cLFkvxy")]
REGULAR += [(636, "PTYoaeEhnuSbdgpq$0123456789{}"), (698, "KAVXZBRC"), (787, "UNHDG&OQ"), (1000, "")]
BOLD = [(306, "'"), (348, "ijl "), (400, "/\\|IJ,.:;"), (478, "-f!()[]t"), (595, 'r_`"*?zcs'), (678, "LxvykaTe")]
BOLD += [(716, "EFo$0123456789hnu{}bdgpq"), (775, "SYZPCBRXAVK"), (850, "UGDHN#+<=>^~OQ"), (1103, "")]
FONTS = {"title": (15, BOLD), "name": (13, BOLD), "bad": (13, BOLD)}


class Wrong(Exception):
    pass


def demand(condition, what):
    if not condition:
        raise Wrong(f"picture: {what}")


def rectangle(element):
    x, y, width, height = (int(element.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def is_within(inner, outer):
    return (
        outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
    )


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def width_of(text, kind):
    size, font = FONTS.get(kind, (13, REGULAR))
    return sum(next(width for width, some in font if one in some or not some) for one in text) * size / 1000


def words_of(element):
    """What is drawn of a text."""
    return element.text or ""


def whole_words(element):
    """The text, also if a part of it is drawn: it is the title, which one sees by pointing at it."""
    return element.findtext(f"{SVG}title") or words_of(element)


def place_of(element):
    """The rectangle of a text, from the top of its capitals to the bottom of its letters."""
    x, y, size = int(element.get("x")), int(element.get("y")), 13
    return x, y - size * 3 // 4, x + width_of(words_of(element), element.get("class")), y + size // 4


def boxes_of(root):
    """Each role's rectangle, class and whether it is red, in the order of the document."""
    boxes = []
    for group in root.iter(f"{SVG}g"):
        shapes = group.findall(f"{SVG}rect")
        name = whole_words(group.find(f"{SVG}text"))
        red = any(shape.get("class") == "wait" for shape in shapes)
        boxes.append((name, shapes[0].get("class"), rectangle(shapes[0]), red))
    return boxes


def check_boxes(root, plan, whole):
    boxes = boxes_of(root)
    wanted = [(role["name"], CLASSES[role["membership"]]) for role in plan["roles"]]
    demand([box[:2] for box in boxes] == wanted, f"roles {[box[:2] for box in boxes]}, not {wanted}")
    for index, (name, _, place, _) in enumerate(boxes):
        demand(is_within(place, whole), f"role {name} is outside the picture")
        for other, _, other_place, _ in boxes[index + 1 :]:
            demand(not overlap(place, other_place), f"roles {name} and {other} overlap")
    check_order(plan, boxes)
    return boxes


def check_texts(root, whole):
    """Every text is within the picture, no text covers another, and what is cut is in its title."""
    texts = [(element, place_of(element)) for element in root.iter(f"{SVG}text")]
    for element, place in texts:
        words, title = words_of(element), element.findtext(f"{SVG}title")
        demand(is_within(place, whole), f"text {words!r} is outside the picture: {place} of {whole}")
        demand(words.endswith("…") == (title is not None), f"the title of {words!r}")
        demand(title is None or title.startswith(words[:-1]), f"the title {title!r} of {words!r}")
    for (one, place), (other, other_place) in itertools.combinations(texts, 2):
        demand(not overlap(place, other_place), f"texts {words_of(one)!r} and {words_of(other)!r} overlap")
    for group in root.iter(f"{SVG}g"):
        box = rectangle(group.find(f"{SVG}rect"))
        for element in group.iter(f"{SVG}text"):
            demand(is_within(place_of(element), box), f"text {words_of(element)!r} is outside its box")


def check_order(plan, boxes):
    """A later stage or wave is further right."""
    columns = [((role["stage"], role["wave"]), box[2][0]) for role, box in zip(plan["roles"], boxes)]
    for (one, x), (other, other_x) in ((a, b) for a in columns for b in columns if a[0] < b[0]):
        demand(x < other_x, f"column {one} is not left of {other}")


def check_name(root, plan, frame):
    """The name is in the frame, as objects and labels in the cluster have it."""
    inside = [one for one in root.iter(f"{SVG}text") if is_within(place_of(one), frame)]
    names = [whole_words(one) for one in inside if whole_words(one).startswith("gang ")]
    wanted = plan.get("gang", {}).get("name")
    demand(names == [f"gang {wanted}"] if wanted else len(names) == 1, f"names {names} of the gang {wanted}")


def check_frame(root, plan, boxes, whole):
    frames = [rectangle(one) for one in root.iter(f"{SVG}rect") if one.get("class") == "frame"]
    inside = [box for box in boxes if box[1] != "outside"]
    demand(len(frames) == (1 if inside else 0), f"{len(frames)} frames")
    demand(bool(frames) or plan["outcome"] != "Gang", "a gang without a frame")
    if frames:
        demand(is_within(frames[0], whole), "the frame is outside the picture")
        check_name(root, plan, frames[0])
    for name, kind, place, _ in boxes if frames else ():
        within = is_within(place, frames[0])
        demand(within == (kind != "outside"), f"role {name} and the gang's frame")
        demand(within or not overlap(place, frames[0]), f"role {name} crosses the gang's frame")


def check_edges(root, plan):
    names = {role["name"] for role in plan["roles"]}
    statuses = [edge["status"] for role in plan["roles"] for edge in role["dependsOn"] if edge["role"] in names]
    drawn = [path.get("class") for path in root.iter(f"{SVG}path") if path.get("class")]
    legend = 1 if plan["roles"] else 0
    for status, kind in (("Ready", "edge ready"), ("Complete", "edge")):
        demand(drawn.count(kind) - legend == statuses.count(status), f"edges {status}: {drawn}")
    return drawn.count("wait")


def curve_along(start, first, second, end):
    """Points of a Bézier curve in one dimension."""
    steps = [step / 16 for step in range(17)]
    return [
        (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t**2 * second + t**3 * end for t in steps
    ]


def check_curves(root, whole, boxes):
    """A curve stays within the picture, and beside a column of the gang within its frame."""
    frames = [rectangle(one) for one in root.iter(f"{SVG}rect") if one.get("class") == "frame"]
    inside = {(place[0], place[2]) for _, kind, place, _ in boxes if kind != "outside"}
    for path in root.iter(f"{SVG}path"):
        if not path.get("class"):
            continue  # the head of an arrow
        numbers = [int(number) for number in re.findall(r"-?\d+", path.get("d"))]
        start, end = numbers[0], numbers[-2]
        x, y = curve_along(*numbers[::2]), curve_along(*numbers[1::2])
        demand(is_within((min(x), min(y), max(x), max(y)), whole), f"the curve {path.get('d')} leaves the picture")
        if frames and start == end and any(start == left for left, _ in inside):
            demand(frames[0][0] <= min(x), f"the curve {path.get('d')} leaves the frame")


def reason_of(root, plan):
    """Why there is no gang: the lines below the title."""
    titles = [one for one in root.findall(f"{SVG}text") if one.get("class") == "title"]
    texts = root.findall(f"{SVG}text")[len(titles) :]
    kind = "line" if plan["outcome"] == "NoGang" else "bad"
    lines = []
    for element, y in zip(texts, itertools.count(int(titles[-1].get("y")) + LINE_HEIGHT, LINE_HEIGHT)):
        if plan["outcome"] == "Gang" or element.get("class") != kind or int(element.get("y")) != y:
            break
        lines.append(element.text)
    return "".join(lines)


def check_reason(root, plan):
    """Each reason is told once, whatever it looks like: a line of the head, or a finding."""
    words = "".join(words_of(one) for one in root.iter(f"{SVG}text")).replace(" ", "")
    for told in {reason_of(root, plan), *(one["message"] for one in plan["diagnostics"])} - {""}:
        demand(words.count(told.replace(" ", "")) <= 1, f"{told!r} is told twice")
    demand(plan["outcome"] in ("Gang", "NoGang") or reason_of(root, plan), "no reason is told")


def check_deadlock(root, plan, boxes, red_edges):
    messages = [one["message"] for one in plan["diagnostics"] if one["code"] == "GANG012"]
    red = [name for name, _, _, is_red in boxes if is_red]
    demand(bool(red) == bool(messages), f"red roles {red}, deadlocks {messages}")
    demand(red_edges == max(len(red) - 1, 0), f"{red_edges} red edges between {red}")
    words = "".join(one.text for one in root.iter(f"{SVG}text") if one.get("class") == "bad")
    for message in messages[:1]:
        chain = re.findall(r'"([^"]*)"', message)
        demand(set(red) == set(chain), f"red roles {red}, not {chain}")
        demand(message.replace(" ", "") in words.replace(" ", ""), "the words of the deadlock are missing")


def check_picture(text, plan):
    root = ElementTree.fromstring(text)
    whole = (0, 0, int(root.get("width")), int(root.get("height")))
    demand(root.get("viewBox") == f"0 0 {whole[2]} {whole[3]}", "viewBox")
    check_texts(root, whole)
    boxes = check_boxes(root, plan, whole)
    check_frame(root, plan, boxes, whole)
    check_curves(root, whole, boxes)
    check_reason(root, plan)
    check_deadlock(root, plan, boxes, check_edges(root, plan))
