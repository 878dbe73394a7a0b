use std::time::{Duration, Instant};

use super::super::scene::tests::scattered;
use super::*;

/// A history in which dwarves find work, plants grow and workshops are built.
fn grown(scene: &Scene, ticks: u64) -> History {
    let end = scene.sample(&Totals::default());
    let mut history = History::new();
    for tick in 0..=ticks {
        if !history.wants(tick) {
            continue;
        }
        let part = |number: u32| {
            let waves = 1.0 + 0.15 * (tick as f64 / 90.0 + f64::from(number)).sin();
            let grown = 1.0 - (-6.0 * tick as f64 / ticks.max(1) as f64).exp();
            ((f64::from(number) * waves * grown) as u32).min(number)
        };
        let mut sample = Sample {
            tick,
            harvesting: part(end.harvesting),
            working: part(end.working),
            workshops: part(end.workshops),
            workshops_busy: part(end.workshops_busy),
            ..end
        };
        sample.idle += end.harvesting - sample.harvesting + end.working - sample.working;
        for stage in [Stage::Seedling, Stage::Sapling, Stage::Grown] {
            *sample.plants.of_mut(stage) = part(end.plants.of(stage));
            sample.plants.sprout += end.plants.of(stage) - sample.plants.of(stage);
        }
        history.record(sample);
    }
    history
}

fn drawn(scene: &Scene) -> String {
    let ticks = scene.tick;
    let totals = Totals {
        harvested: 4_321,
        goods: 1_234,
        ..Totals::default()
    };
    picture(&Moment {
        scene,
        totals: &totals,
        history: &grown(scene, ticks),
        ticks,
    })
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.is_text());
    texts
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}

#[test]
fn a_picture_says_what_it_shows() {
    let scene = scattered((96, 40), 1_000, 200, 50, 1);
    let svg = drawn(&scene);
    let texts = texts(&svg);
    let now = scene.sample(&Totals::default());
    for wanted in [
        "A colony of 1,000 dwarves after 3,000 ticks".to_owned(),
        "200 plants".to_owned(),
        "50 workshops".to_owned(),
        format!("{} idle", now.idle),
        format!("{} trees", now.plants.grown),
        format!("{} in use", now.workshops_busy),
        "ticks".to_owned(),
        "3,000".to_owned(),
    ] {
        assert!(texts.contains(&wanted), "no {wanted:?} in {texts:?}");
    }
    let caption = "Until then 4,321 trees were cut, and 1,234 goods were made";
    assert!(
        texts.iter().any(|text| text.starts_with(caption)),
        "{texts:?}"
    );
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
}

#[test]
fn everything_has_a_mark_where_there_is_room() {
    // Few enough that no two of a kind share a place.
    let mut scene = scattered((96, 40), 0, 0, 0, 1);
    let spots = || {
        (0..96)
            .step_by(5)
            .flat_map(|x| (0..40).step_by(5).map(move |y| (x, y)))
    };
    for (x, y) in spots() {
        scene
            .dwarves
            .extend(Doing::ALL.map(|doing| super::super::Dwarf { x, y, doing }));
        scene.plants.push(super::super::Plant {
            x,
            y,
            stage: Stage::Grown,
        });
        scene
            .workshops
            .push(super::super::Workshop { x, y, busy: false });
    }
    let svg = drawn(&scene);
    let document = roxmltree::Document::parse(&svg).unwrap();
    // Without what stands in the legends.
    let marks = |thing: Thing| {
        let paths = document.descendants().filter(|node| {
            [node.attribute("stroke"), node.attribute("fill")].contains(&Some(colour(thing)))
        });
        let longest = paths.filter_map(|node| node.attribute("d"));
        longest.map(|path| path.matches('M').count()).max().unwrap()
    };
    let all = spots().count();
    for doing in Doing::ALL {
        assert_eq!(marks(Thing::Dwarf(doing)), all, "{doing:?}");
    }
    assert_eq!(marks(Thing::Plant(Stage::Grown)), all);
    assert_eq!(marks(Thing::FreeWorkshop), all);
    assert!(!svg.contains("crowded"));
    scene.plants.push(scene.plants[0]);
    assert!(drawn(&scene).contains("crowded"));
}

#[test]
fn extremes_are_pictures_too() {
    let begun = Instant::now();
    for (size, dwarves, plants, workshops) in [
        ((96, 40), 0, 0, 0),
        ((1, 1), 1, 0, 0),
        ((1, 1), 100, 100, 100),
        ((u16::MAX, 1), 1_000, 10, 1),
        ((1, u16::MAX), 1_000, 10, 1),
        ((u16::MAX, u16::MAX), 100_000, 10, 1),
        ((96, 40), 1_000, 1_000_000, 1_000),
        ((2_000, 1_000), 200_000, 1_000_000, 200_000),
    ] {
        let mut scene = scattered(size, dwarves, plants, workshops, 3);
        for tick in [0, 1, 3_000, u64::MAX] {
            scene.tick = tick;
            let svg = picture(&Moment {
                scene: &scene,
                totals: &Totals {
                    harvested: u64::MAX,
                    goods: 1,
                    ..Totals::default()
                },
                history: &grown(&scene, tick.min(3_000)),
                ticks: tick,
            });
            let document = roxmltree::Document::parse(&svg).unwrap();
            assert!(
                document
                    .root_element()
                    .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
            );
            assert!(svg.len() < 1_200_000, "{size:?}: {} bytes", svg.len());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{size:?}");
        }
    }
    let most = Duration::from_secs(60);
    assert!(begun.elapsed() < most, "{:?}", begun.elapsed());
}

#[test]
fn all_pictures_of_a_run_have_the_same_axis_of_time() {
    let mut scene = scattered((96, 40), 10, 10, 10, 1);
    scene.tick = 500;
    let svg = picture(&Moment {
        scene: &scene,
        totals: &Totals::default(),
        history: &grown(&scene, 400),
        ticks: 3_000,
    });
    assert!(texts(&svg).contains(&"3,000".to_owned()));
    assert!(texts(&svg).contains(&"A colony of 10 dwarves after 500 ticks".to_owned()));
}
