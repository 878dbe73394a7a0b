//! Trees as pictures: what every picture must keep to, whatever the tree.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pleach_draw::tree::{Label, MAX_MERMAID_NODES, MAX_NODES, Picture, Theme};
use pleach_text::gallery::GALLERY;
use pleach_tree::{
    Expr, NodeDef, Tree, action, condition, idle, if_then_else, invert, otherwise, selector,
    sequence, switch, wait,
};
use roxmltree::{Document, Node};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn file(path: &str) -> Tree {
    let text = std::fs::read_to_string(root(path)).unwrap();
    pleach_text::parse(path, &text).unwrap().main().clone()
}

/// A tree of about that many nodes, no two parts of which look alike.
fn random(nodes: usize, seed: u64) -> Tree {
    let mut state = seed;
    let mut dice = move |sides: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let mut parts: Vec<NodeDef> = Vec::new();
    let mut made = 0;
    while made < nodes || parts.len() > 1 {
        made += 1;
        let take = (2 + dice(4)).min(parts.len());
        let many = parts.len() > 12 || made >= nodes;
        let next = match (many, dice(8)) {
            (true, 0 | 1) => invert(parts.remove(0)),
            (true, 2) if take > 2 => {
                let [a, b, c] = [0; 3].map(|_| parts.remove(0));
                if_then_else(a, b, c)
            }
            (true, at) => {
                let children: Vec<NodeDef> = parts.drain(..take).collect();
                let parent = if at % 2 == 0 {
                    sequence(children)
                } else {
                    selector(children)
                };
                if at > 4 {
                    parent.named("n".repeat(dice(60)))
                } else {
                    parent
                }
            }
            (false, 0 | 1) => condition("health < 0.3 and not alarm"),
            (false, 2) => wait(Duration::from_millis(dice(5_000) as u64)),
            (false, _) => action("a".repeat(1 + dice(50))).param("speed", 4.0_f32),
        };
        parts.push(next);
    }
    Tree::build("random").root(parts.remove(0))
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// The boxes of a picture: left, top, right, bottom.
fn boxes(picture: &Document<'_>) -> Vec<[f64; 4]> {
    let frames = picture.root_element().descendants().skip(1);
    frames
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "svg")))
        .map(|frame| {
            let [x, y, width, height] =
                ["x", "y", "width", "height"].map(|name| number(frame, name));
            [x, y, x + width, y + height]
        })
        .collect()
}

/// The lines of a picture, each as the places that it goes by.
fn lines(picture: &Document<'_>) -> Vec<Vec<(f64, f64)>> {
    let lines = picture.descendants();
    lines
        .filter(|node| node.attribute("class") == Some("edge"))
        .map(|line| {
            let path = line.attribute("d").unwrap();
            let numbers: Vec<f64> = path
                .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
                .filter(|part| !part.is_empty())
                .map(|part| part.parse().unwrap())
                .collect();
            numbers
                .chunks(2)
                .map(|place| (place[0], place[1]))
                .collect()
        })
        .collect()
}

#[test]
fn the_guard_is_drawn_as_in_the_documentation() {
    let path = root("docs/guard.svg");
    let found = Picture::new(&file("trees/guard.kdl"))
        .svg(Theme::Auto)
        .unwrap();
    if std::env::var("PLEACH_GOLDEN").is_ok_and(|wish| wish == "write") {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert!(
        found == expected,
        "the picture has changed; if it should, PLEACH_GOLDEN=write writes docs/guard.svg anew"
    );
}

#[test]
fn every_node_of_the_language_is_drawn() {
    let mut drawn = HashSet::new();
    // The others are words for what files are made of.
    let entries = GALLERY.iter().flat_map(|family| family.entries);
    let nodes: Vec<_> = entries
        .filter_map(|entry| Some((entry.op?, entry)))
        .collect();
    for (_, entry) in &nodes {
        let document = pleach_text::parse("example.kdl", entry.example).unwrap();
        for tree in document.trees() {
            let picture = Picture::new(tree);
            let svg = picture.svg(Theme::Auto).unwrap();
            let parsed = Document::parse(&svg).unwrap();
            assert_eq!(boxes(&parsed).len(), tree.len(), "{}", entry.example);
            assert_eq!(lines(&parsed).len(), tree.len() - 1);
            for text in [&svg, &picture.dot(Theme::Dark).unwrap()] {
                for node in tree.nodes() {
                    let keyword = Label::of(node).keyword;
                    assert!(text.contains(keyword), "no {keyword} in\n{text}");
                }
            }
            assert!(
                picture
                    .mermaid(Theme::Light)
                    .unwrap()
                    .starts_with("flowchart LR\n")
            );
            drawn.extend(tree.nodes().filter_map(|node| node.kind.op()));
        }
    }
    for (op, _) in nodes {
        assert!(drawn.contains(&op), "no example has {op}");
    }
}

#[test]
fn no_boxes_overlap_and_no_line_crosses_a_box() {
    let trees = [(20, 1), (150, 2), (150, 3), (700, 4)].map(|(nodes, seed)| random(nodes, seed));
    for tree in trees
        .into_iter()
        .chain([file("trees/dwarf.kdl"), file("trees/guard.kdl")])
    {
        let svg = Picture::new(&tree).svg(Theme::Light).unwrap();
        let picture = Document::parse(&svg).unwrap();
        let [width, height] = ["width", "height"].map(|name| number(picture.root_element(), name));
        let boxes = boxes(&picture);
        assert_eq!(boxes.len(), tree.len());
        for (index, a) in boxes.iter().enumerate() {
            assert!(
                a[0] >= 0.0 && a[1] >= 0.0 && a[2] < width && a[3] < height,
                "{a:?}"
            );
            for b in &boxes[index + 1..] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{a:?} and {b:?} overlap");
            }
        }
        for line in lines(&picture) {
            for ends in line.windows(2) {
                let [(x1, y1), (x2, y2)] = [ends[0], ends[1]];
                let (left, right) = (x1.min(x2), x1.max(x2));
                let (top, bottom) = (y1.min(y2), y1.max(y2));
                for b in &boxes {
                    let clear = right <= b[0] || left >= b[2] || bottom <= b[1] || top >= b[3];
                    assert!(clear, "{ends:?} crosses {b:?}");
                }
            }
        }
    }
}

#[test]
fn names_cannot_break_out_of_a_picture() {
    let hostile = [
        "</title><script>alert(1)</script>",
        "\"]; click n0 href \"javascript:alert(1)\"",
        "%%{init: {\"theme\": \"dark\"}}%%",
        "style x:#35;\nclassDef y:#1;",
        "`**bold**`\u{0}\u{1b}[31m\u{7f}\u{85}\u{fffe}",
        "\u{202e}evil\u{2066}\u{200f}",
        "back\\slash\\N \\\" &lt; &#60; ]]> --> -- end",
        "見張り番🙂ﷺ",
        "ﬂ°°35¶ß",
        "",
    ];
    let names = hostile.map(str::to_owned).into_iter().chain([
        "x".repeat(65_536),
        "\"".repeat(65_536),
        "\u{301}".repeat(65_536),
    ]);
    for name in names {
        let tree = Tree::build(name.clone()).column(name.clone(), 1_i32).root(
            sequence([
                action(name.clone()).param(name.clone(), name.as_str()),
                switch(
                    name.clone(),
                    [
                        pleach_tree::case(name.as_str(), idle().named(name.clone())),
                        otherwise(condition(Expr::from(name.as_str()))),
                    ],
                ),
            ])
            .named(name.clone()),
        );
        let picture = Picture::new(&tree);
        let svg = picture.svg(Theme::Auto).unwrap();
        let parsed = Document::parse(&svg).unwrap();
        let elements: HashSet<&str> = parsed
            .descendants()
            .map(|node| node.tag_name().name())
            .collect();
        let known = [
            "", "svg", "g", "title", "desc", "style", "rect", "path", "text",
        ];
        assert_eq!(elements, HashSet::from(known), "{name:?}");
        assert_eq!(boxes(&parsed).len(), 5);
        for text in parsed.descendants().filter_map(|node| node.text()) {
            let raw = |c: char| matches!(c, '\u{0}'..='\u{9}' | '\u{1b}' | '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(!text.contains(raw), "{text:?}");
        }
        assert!(svg.len() < 40_000, "{} bytes", svg.len());

        let mermaid = picture.mermaid(Theme::Auto).unwrap();
        // The heading, five nodes, four edges and six styles, whatever the names say.
        assert_eq!(mermaid.lines().count(), 1 + 5 + 4 + 6, "{mermaid}");
        assert!(!mermaid.contains("|\"\"|"), "{mermaid}");
        for line in mermaid.lines().skip(1).take(9) {
            let inside: Vec<&str> = line.split('"').collect();
            assert!(inside.len() == 1 || inside.len() == 3, "{line}");
            let outside = [inside[0], inside.last().unwrap()].concat();
            assert!(!outside.contains(['%', ';', '`', '<']), "{line}");
            if let [_, text, _] = inside[..] {
                assert!(
                    !text
                        .replace("<br/>", "")
                        .contains(['%', ':', '<', '`', '\\', '&']),
                    "{line}"
                );
            }
        }

        let dot = picture.dot(Theme::Auto).unwrap();
        // The heading, four lines of defaults, five nodes, four edges, the end.
        assert_eq!(dot.lines().count(), 1 + 3 + 5 + 4 + 1, "{dot}");
        for line in dot.lines() {
            let plain = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
        }
    }
}

#[test]
fn what_is_deep_is_folded() {
    let tree = file("trees/guard.kdl");
    let svg = Picture::new(&tree).depth(2).svg(Theme::Light).unwrap();
    let picture = Document::parse(&svg).unwrap();
    let texts: Vec<&str> = picture
        .descendants()
        .filter(|node| node.attribute("class") == Some("says"))
        .filter_map(|node| node.text())
        .collect();
    let expected = [
        "guard",
        "flee",
        "… 3 nodes",
        "attack",
        "… 4 nodes",
        "chase",
        "… 2 nodes",
        "patrol",
        "… 3 nodes",
    ];
    assert_eq!(texts, expected);
    let whole = Picture::new(&tree);
    assert_eq!(whole.depth(3).dot(Theme::Auto), whole.dot(Theme::Auto));
    assert_eq!(
        whole.depth(0).dot(Theme::Auto),
        whole.depth(1).dot(Theme::Auto)
    );
    let mermaid = whole.depth(1).mermaid(Theme::Auto).unwrap();
    assert!(mermaid.contains("n1[\"… 16 nodes\"]:::folded"), "{mermaid}");
}

#[test]
fn what_nobody_could_look_at_is_refused_with_a_depth_that_fits() {
    let wide = Tree::build("wide").root(sequence(
        (0..20).map(|_| sequence((0..5_000).map(|_| idle()))),
    ));
    let picture = Picture::new(&wide);
    let error = picture.svg(Theme::Auto).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the picture would have 100021 nodes; the most is {MAX_NODES}")
    );
    assert_eq!(error.fitting_depth(), Some(2));
    assert!(picture.depth(2).svg(Theme::Auto).is_ok());
    assert_eq!(picture.dot(Theme::Auto), Err(error));
    let error = picture.mermaid(Theme::Auto).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with(&format!("the most is {MAX_MERMAID_NODES}"))
    );

    let deep = (0..100_000).fold(idle(), |child, _| invert(child));
    let deep = Tree::build("deep").root(deep);
    let picture = Picture::new(&deep);
    assert!(picture.svg(Theme::Auto).is_err());
    let chain = Tree::build("chain").root((0..2_000).fold(idle(), |child, _| invert(child)));
    let error = Picture::new(&chain).svg(Theme::Auto).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the picture would have 2001 levels; the most is 500"
    );
    let levels = error.fitting_depth().unwrap();
    assert_eq!(levels, 499);
    for picture in [picture, Picture::new(&chain)] {
        let svg = picture.depth(levels).svg(Theme::Auto).unwrap();
        assert_eq!(boxes(&Document::parse(&svg).unwrap()).len(), 500);
    }

    let long = action("a".repeat(60)).named("#".repeat(60));
    let long = Tree::build("long").root(sequence((0..500).map(|_| long.clone())));
    let error = Picture::new(&long).mermaid(Theme::Auto).unwrap_err();
    assert!(
        error.to_string().contains("characters; the most is 50000"),
        "{error}"
    );
}

#[test]
fn a_picture_is_the_same_each_time_and_themes_differ_in_colours_only() {
    let tree = random(300, 9);
    let picture = Picture::new(&tree);
    let [auto, light, dark] = Theme::ALL.map(|theme| picture.svg(theme).unwrap());
    assert_eq!(picture.svg(Theme::Auto).unwrap(), auto);
    assert!(auto.contains("prefers-color-scheme: dark"));
    assert!(!light.contains("prefers") && !dark.contains("prefers"));
    let body = |svg: &str| svg.split("</style>").nth(1).map(str::to_owned);
    assert_eq!(body(&auto), body(&light));
    assert_eq!(body(&light), body(&dark));
    assert_ne!(light, dark);
}
