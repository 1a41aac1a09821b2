# SPDX-License-Identifier: Apache-2.0
"""What the picture of a plan must show. Each rule is one a reader relies on, checked on the SVG itself."""

import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
CLASSES = {"Member": "member", "LateMember": "late", "Outside": "outside"}
BOX_HEIGHT = 60  # the legend's keys are lower
NAME_CHARACTERS = 23


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


def shown_name(name):
    return name if len(name) <= NAME_CHARACTERS else name[: NAME_CHARACTERS - 1] + "…"


def boxes_of(root):
    """Each role's rectangle, class and whether it is red, in the order of the document."""
    boxes = []
    for group in root.iter(f"{SVG}g"):
        shapes = group.findall(f"{SVG}rect")
        name = group.find(f"{SVG}text").text
        red = any(shape.get("class") == "wait" for shape in shapes)
        boxes.append((name, shapes[0].get("class"), rectangle(shapes[0]), red))
    return boxes


def check_boxes(root, plan, whole):
    boxes = boxes_of(root)
    wanted = [(shown_name(role["name"]), CLASSES[role["membership"]]) for role in plan["roles"]]
    demand([box[:2] for box in boxes] == wanted, f"roles {[box[:2] for box in boxes]}, not {wanted}")
    for index, (name, _, place, _) in enumerate(boxes):
        demand(is_within(place, whole), f"role {name} is outside the picture")
        for other, _, other_place, _ in boxes[index + 1 :]:
            demand(not overlap(place, other_place), f"roles {name} and {other} overlap")
    check_order(plan, boxes)
    return boxes


def check_order(plan, boxes):
    """A later stage or wave is further right."""
    columns = [((role["stage"], role["wave"]), box[2][0]) for role, box in zip(plan["roles"], boxes)]
    for (one, x), (other, other_x) in ((a, b) for a in columns for b in columns if a[0] < b[0]):
        demand(x < other_x, f"column {one} is not left of {other}")


def check_frame(root, plan, boxes):
    frames = [rectangle(one) for one in root.iter(f"{SVG}rect") if one.get("class") == "frame"]
    inside = [box for box in boxes if box[1] != "outside"]
    demand(len(frames) == (1 if inside else 0), f"{len(frames)} frames")
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


def check_curves(root, whole, boxes):
    """A curve stays within the picture, and beside a column of the gang within its frame."""
    frames = [rectangle(one) for one in root.iter(f"{SVG}rect") if one.get("class") == "frame"]
    inside = {(place[0], place[2]) for _, kind, place, _ in boxes if kind != "outside"}
    for path in root.iter(f"{SVG}path"):
        if not path.get("class"):
            continue  # the head of an arrow
        start, first, second, end = (
            int(x) for x in re.findall(r"[MC ](-?\d+) -?\d+", path.get("d").replace("C", " "))
        )
        steps = [step / 16 for step in range(17)]
        points = [
            (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t**2 * second + t**3 * end
            for t in steps
        ]
        demand(0 <= min(points) and max(points) <= whole[2], f"the curve {path.get('d')} leaves the picture")
        if frames and start == end and any(start == left for left, _ in inside):
            demand(frames[0][0] <= min(points), f"the curve {path.get('d')} leaves the frame")


def check_reason(root, plan):
    """The words of an error are there once."""
    words = "".join(one.text for one in root.iter(f"{SVG}text") if one.get("class") == "bad").replace(" ", "")
    for one in plan["diagnostics"]:
        demand(words.count(one["message"].replace(" ", "")) <= 1, f"{one['message']!r} is told twice")


def check_deadlock(root, plan, boxes, red_edges):
    messages = [one["message"] for one in plan["diagnostics"] if one["code"] == "GANG012"]
    red = [name for name, _, _, is_red in boxes if is_red]
    demand(bool(red) == bool(messages), f"red roles {red}, deadlocks {messages}")
    demand(red_edges == max(len(red) - 1, 0), f"{red_edges} red edges between {red}")
    words = "".join(one.text for one in root.iter(f"{SVG}text") if one.get("class") == "bad")
    for message in messages[:1]:
        chain = re.findall(r'"([^"]*)"', message)
        demand(set(red) == {shown_name(name) for name in chain}, f"red roles {red}, not {chain}")
        demand(message.replace(" ", "") in words.replace(" ", ""), "the words of the deadlock are missing")


def check_picture(text, plan):
    root = ElementTree.fromstring(text)
    whole = (0, 0, int(root.get("width")), int(root.get("height")))
    demand(root.get("viewBox") == f"0 0 {whole[2]} {whole[3]}", "viewBox")
    for text_element in root.iter(f"{SVG}text"):
        x, y = int(text_element.get("x")), int(text_element.get("y"))
        demand(0 <= x < whole[2] and 0 < y <= whole[3], f"text {text_element.text!r} is outside the picture")
    boxes = check_boxes(root, plan, whole)
    check_frame(root, plan, boxes)
    check_curves(root, whole, boxes)
    check_reason(root, plan)
    check_deadlock(root, plan, boxes, check_edges(root, plan))
