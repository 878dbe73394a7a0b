use super::super::crossover::{CHALLENGER, Crossover};
use super::super::row::made_up;
use super::super::{Comparison, Options, Skipped};
use super::*;

const SVG: &str = "http://www.w3.org/2000/svg";

fn comparison(rows: Vec<Row>) -> Comparison {
    Comparison::new(&Options::default(), rows, Vec::new())
}

/// Four kernels as they might come out: one with a price for a block, and one pass for all of it.
fn made_up_rows(trees: &[(&str, f64)], data: &[&str]) -> Vec<Row> {
    let kernels = [
        "pure-stream",
        "threaded-stream",
        "traversal-stack",
        CHALLENGER,
    ];
    let mut rows = Vec::new();
    for &(tree, size) in trees {
        for (index, data) in data.iter().enumerate() {
            for actors in Options::ACTORS {
                for (which, kernel) in kernels.into_iter().enumerate() {
                    let count = actors as f64;
                    let cache = 1.0 + 0.06 * (count / 1_000.0 + 1.0).ln();
                    let part = [1.0, 0.82, 1.16, 0.2 + 0.3 * index as f64][which];
                    let block = [90.0, 80.0, 95.0, size * 60.0][which];
                    let nanos = size * part * cache + block / count.min(512.0);
                    rows.push(Row {
                        tree: tree.to_owned(),
                        data: (*data).to_owned(),
                        ..made_up(kernel, actors, nanos)
                    });
                }
            }
        }
    }
    rows
}

#[track_caller]
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document
        .descendants()
        .filter(|node| node.is_text())
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
    texts.collect()
}

fn count(svg: &str, class: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap();
    let found = document
        .descendants()
        .filter(|node| node.attribute("class") == Some(class));
    found.count()
}

#[test]
fn a_panel_for_each_tree_and_data_and_a_line_for_each_kernel() {
    let trees = [("guard", 40.0), ("deep", 52.0), ("wide", 250.0)];
    let found = comparison(made_up_rows(&trees, &["fresh", "divergent"]));
    let svg = plot(&found);
    assert_eq!(count(&svg, "panel"), 6);
    // And one of each kernel in the legend.
    assert_eq!(count(&svg, "line"), 6 * 4 + 4);
    let crossings = found
        .crossovers
        .iter()
        .filter(|crossover| matches!(crossover.faster, super::super::Faster::From { .. }));
    assert_eq!(count(&svg, "ring"), crossings.count());
    let texts = texts(&svg);
    for wanted in [
        "guard",
        "deep",
        "wide",
        "fresh",
        "divergent",
        "actors",
        CHALLENGER,
    ] {
        assert!(
            texts.iter().any(|text| text == wanted),
            "{wanted}: {texts:?}"
        );
    }
    // Every row is a point with its figures.
    let points = texts.iter().filter(|text| text.contains(" rounds)"));
    assert_eq!(points.count(), found.rows.len());
}

#[test]
fn verdicts_are_in_words() {
    let verdict = |lanes: [f64; 2]| {
        let rows = vec![
            made_up("stream", 10, 20.0),
            made_up("lanes", 10, lanes[0]),
            made_up("stream", 1_000, 20.0),
            made_up("lanes", 1_000, lanes[1]),
        ];
        let texts = texts(&plot(&comparison(rows)));
        texts
            .into_iter()
            .find(|text| text.starts_with("lanes "))
            .unwrap()
    };
    assert_eq!(verdict([80.0, 5.0]), "lanes faster from 100");
    assert_eq!(verdict([8.0, 5.0]), "lanes always faster");
    assert_eq!(verdict([80.0, 50.0]), "lanes never faster");
}

#[test]
fn names_can_hold_anything() {
    let name =
        "<b>&\"'\u{0}\u{1b}[2J\u{fffe}]]>\n\u{85} a name that is longer than a panel is wide";
    let rows = made_up_rows(&[(name, 40.0), ("", 3.0)], &["fresh", "some\u{7}thing"]);
    let mut found = comparison(rows);
    found.machine.cpu = Some("<CPU> \u{2}".to_owned());
    found.skipped.push(Skipped {
        tree: name.to_owned(),
        actors: 10_000_000,
        bytes: 5 << 30,
    });
    let svg = plot(&found);
    let texts = texts(&svg);
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("<b>&\"'\u{fffd}\u{fffd}[2J")),
        "{texts:?}"
    );
    assert!(
        texts
            .iter()
            .any(|text| text.contains("10,000,000 actors, which would take 5.0 GiB"))
    );
    assert!(!svg.contains(['\0', '\u{1b}', '\u{fffe}']));
}

#[test]
fn little_or_nothing_measured_is_a_plot_too() {
    for rows in [
        vec![],
        vec![made_up("stream", 1, 20.0)],
        vec![made_up("stream", 1, f64::NAN), made_up("lanes", 1, 0.0)],
        vec![made_up("stream", 64, 20.0), made_up("stack", 64, 20.0)],
    ] {
        let svg = plot(&comparison(rows));
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(document.root_element().has_tag_name((SVG, "svg")));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn numbers_of_threads_are_named_where_there_are_several() {
    let mut rows = vec![made_up("stream", 1, 20.0)];
    assert!(texts(&plot(&comparison(rows.clone()))).contains(&"divergent".to_owned()));
    rows.push(Row {
        threads: 4,
        ..rows[0].clone()
    });
    let texts = texts(&plot(&comparison(rows)));
    assert!(
        texts.contains(&"divergent, 1 thread".to_owned()),
        "{texts:?}"
    );
    assert!(texts.contains(&"divergent, 4 threads".to_owned()));
}

#[test]
fn crossovers_are_those_of_the_rows() {
    let rows = made_up_rows(&[("guard", 40.0)], &["fresh"]);
    let found = comparison(rows);
    assert_eq!(
        found.crossovers,
        Crossover::of_rows(&found.rows, CHALLENGER)
    );
    assert!(found.crossover_of(&found.rows[0]).is_some());
}
