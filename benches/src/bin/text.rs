//! Prints what reading texts costs: `text [--shape trees|wide|columns] [--nodes N,N] [--rounds N]`.
//!
//! A project of so many nodes is made up and written in each format, and each of its files goes through four steps,
//! which are timed apart: *read* makes drafts of the text, *parse* trees that can run, read and inlined, *check* does all
//! that `pleach check` does, *compile* makes shapes of the trees that were parsed; *write* makes a text of the drafts.
//! Medians of the rounds, in nanoseconds for each node as it is written, so that whatever grows faster than the project
//! is seen down the column. A project that a file cannot hold is spread over several.

use std::process::ExitCode;
use std::time::Instant;

use pleach_benches::median;
use pleach_text::{
    FilePlace, Format, LoadError, MAX_BYTES, MAX_EXPRS_BYTES, MAX_ITEMS, TreeFile, inspect_with,
    parse_with,
};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// What the project consists of.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// Trees of a hundred nodes, each used once by a main tree.
    Trees,
    /// One tree, whose root is a selector of small branches.
    Wide,
    /// The same, with a column of its own for each branch.
    Columns,
}

const SHAPES: [(&str, Shape); 3] = [
    ("trees", Shape::Trees),
    ("wide", Shape::Wide),
    ("columns", Shape::Columns),
];

/// The nodes of a [`branch`].
const BRANCH_NODES: usize = 7;

/// The branches of one of many trees.
const TREE_BRANCHES: usize = 14;

/// What a node takes at most, in any of the formats: bytes of text, items of a document. Measured with room to spare.
const NODE_BYTES: usize = 100;
const NODE_ITEMS: usize = 6;

/// What all expressions of a node take, each of them twice, since trees that are used are inlined.
const NODE_EXPR_BYTES: usize = 20;

/// The options of the command.
struct Options {
    shape: Shape,
    nodes: Vec<usize>,
    rounds: usize,
}

/// A small branch: conditions, a decorator, actions with parameters, and a column that is written.
fn branch(at: usize, text: &mut String) {
    let column = at % 4;
    text.push_str(&format!(
        "sequence \"b{at}\" {{\n\
         condition \"health < 0.{} and not seen\"\n\
         retry 3 {{ action \"approach\" speed=1.5 at=(column)\"target\" }}\n\
         set \"own{column}\" \"own{column} + 1\"\n\
         action \"act{}\" count=3\n\
         wait 2.5\n\
         }}\n",
        at % 9 + 1,
        at % 50,
    ));
}

/// What all trees declare.
const BLACKBOARD: &str =
    "blackboard {\nhealth f32 1.0\nseen bool\ntarget u64\nown0 i32\nown1 i32\nown2 i32\nown3 i32\n";

/// A file in KDL with about that many nodes, and how many they are.
fn file(shape: Shape, nodes: usize) -> (String, usize) {
    let mut text = String::new();
    let branches = (nodes / BRANCH_NODES).max(1);
    match shape {
        Shape::Trees => {
            let trees = branches.div_ceil(TREE_BRANCHES);
            text.push_str("tree \"main\" {\nselector {\n");
            for tree in 0..trees {
                text.push_str(&format!("subtree \"t{tree}\"\n"));
            }
            text.push_str("}\n}\n");
            for tree in 0..trees {
                text.push_str(&format!(
                    "tree \"t{tree}\" {{\n{BLACKBOARD}}}\nselector {{\n"
                ));
                let from = tree * TREE_BRANCHES;
                for at in from..branches.min(from + TREE_BRANCHES) {
                    branch(at, &mut text);
                }
                text.push_str("}\n}\n");
            }
            (text, branches * BRANCH_NODES + 2 * trees + 1)
        }
        Shape::Wide | Shape::Columns => {
            text.push_str(&format!("tree \"main\" {{\n{BLACKBOARD}"));
            if shape == Shape::Columns {
                for at in 0..branches {
                    text.push_str(&format!("c{at} i32\n"));
                }
            }
            text.push_str("}\nselector {\n");
            for at in 0..branches {
                branch(at, &mut text);
                if shape == Shape::Columns {
                    text.push_str(&format!("on-success \"c{at}\" \"c{at} + 1\" {{ idle }}\n"));
                }
            }
            text.push_str("}\n}\n");
            let more = if shape == Shape::Columns { 2 } else { 0 };
            (text, branches * (BRANCH_NODES + more) + 1)
        }
    }
}

/// The files of a project in each format, and its nodes.
struct Project {
    nodes: usize,
    texts: Vec<(Format, Vec<String>)>,
}

impl Project {
    fn new(shape: Shape, nodes: usize) -> Result<Project, Error> {
        let most = (MAX_BYTES / NODE_BYTES)
            .min(MAX_ITEMS / NODE_ITEMS)
            .min(MAX_EXPRS_BYTES / NODE_EXPR_BYTES);
        let files = nodes.div_ceil(most);
        let mut project = Project {
            nodes: 0,
            texts: Format::ALL.map(|format| (format, Vec::new())).into(),
        };
        for _ in 0..files {
            let (text, nodes) = file(shape, nodes / files);
            project.nodes += nodes;
            let drafts = TreeFile::read(Format::Kdl, "main.kdl", &text)?;
            for (format, texts) in &mut project.texts {
                texts.push(drafts.write(*format)?);
            }
        }
        Ok(project)
    }
}

/// What is timed, in the order of the columns.
const STEPS: [&str; 5] = ["read", "parse", "check", "compile", "write"];

/// Nanoseconds of each step, over all files.
fn round(format: Format, texts: &[String]) -> Result<[f64; STEPS.len()], Error> {
    let mut nanos = [0.0; STEPS.len()];
    let name = format!("main.{}", format.name());
    let mut no_files = |_: &str| Err::<String, _>(LoadError::new("there is none"));
    for text in texts {
        let begun = Instant::now();
        let drafts = TreeFile::read(format, &name, text)?;
        nanos[0] += begun.elapsed().as_nanos() as f64;

        let begun = Instant::now();
        let document = parse_with(&FilePlace::new(&name), text, &mut no_files)?;
        nanos[1] += begun.elapsed().as_nanos() as f64;

        let begun = Instant::now();
        let inspection = inspect_with(&FilePlace::new(&name), text, &mut no_files, false);
        nanos[2] += begun.elapsed().as_nanos() as f64;
        if inspection.trees.is_none() {
            return Err(inspection.found.into());
        }

        let begun = Instant::now();
        for tree in document.trees() {
            pleach_tree::compile(tree)?;
        }
        nanos[3] += begun.elapsed().as_nanos() as f64;

        let begun = Instant::now();
        drafts.write(format)?;
        nanos[4] += begun.elapsed().as_nanos() as f64;
    }
    Ok(nanos)
}

fn run(options: &Options) -> Result<(), Error> {
    println!("ns per node as it is written; check in ms for the whole project");
    print!(
        "{:<6}{:>10}{:>7}{:>11}",
        "format", "nodes", "files", "bytes/node"
    );
    for step in STEPS {
        print!("{step:>9}");
    }
    println!("{:>12}", "check, ms");
    for format in Format::ALL {
        for &nodes in &options.nodes {
            let project = Project::new(options.shape, nodes)?;
            let texts = project.texts.iter().find(|(other, _)| *other == format);
            let texts = texts.map_or(&[][..], |(_, texts)| texts);
            let mut nanos: [Vec<f64>; STEPS.len()] = Default::default();
            for at in 0..options.rounds + 1 {
                let round = round(format, texts)?;
                // The first one warms up.
                if at > 0 {
                    for (all, one) in nanos.iter_mut().zip(round) {
                        all.push(one);
                    }
                }
            }
            let medians = nanos.map(median);
            let bytes: usize = texts.iter().map(String::len).sum();
            print!(
                "{:<6}{:>10}{:>7}{:>11}",
                format.name(),
                project.nodes,
                texts.len(),
                bytes / project.nodes
            );
            for nanos in medians {
                print!("{:>9.0}", nanos / project.nodes as f64);
            }
            println!("{:>12.1}", medians[2] / 1e6);
        }
    }
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        shape: Shape::Trees,
        nodes: vec![1_000, 10_000, 100_000],
        rounds: 5,
    };
    for pair in arguments.chunks(2) {
        let value = pair.get(1).map_or("", String::as_str);
        let number = |value: &str| value.parse().ok().filter(|value| *value > 0);
        match pair[0].as_str() {
            "--shape" => {
                let shape = SHAPES.iter().find(|(name, _)| *name == value);
                let shape = shape.ok_or("`--shape` is one of `trees`, `wide` and `columns`")?;
                options.shape = shape.1;
            }
            "--nodes" => {
                let nodes: Option<Vec<usize>> = value.split(',').map(number).collect();
                options.nodes =
                    nodes.ok_or("`--nodes` needs numbers above 0, such as 1000,10000")?;
            }
            "--rounds" => {
                options.rounds = number(value).ok_or("`--rounds` needs a number above 0")?;
            }
            other => return Err(format!("there is no option `{other}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
