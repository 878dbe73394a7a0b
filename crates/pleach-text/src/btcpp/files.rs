//! A file of BehaviorTree.CPP with all that it includes.

use std::collections::{BTreeMap, HashSet};

use pleach_shape::MAX_NODES;

use super::bare_label::labels_of_names;
use super::fragment::Fragments;
use super::kept::Kept;
use super::map::Mapper;
use super::model::Models;
use super::names::Names;
use super::note::Notes;
use super::options::Options;
use super::plan::{Plan, Version};
use super::planner::Planner;
use super::scope::scopes;
use super::slip;
use super::unwritten::note_unwritten;
use super::xml::{Element, Xml};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::draft::{Draft, add_note};
use crate::files::{Files, Gathering, two_of_a_name};
use crate::format::{Format, read_text};
use crate::loader::{FilePlace, Loader};
use crate::read::{Include, MAX_NAME, Reading};
use crate::source::Source;

/// What `root` may hold.
const BLOCKS: [&str; 3] = ["BehaviorTree", "TreeNodesModel", "include"];

/// What attributes of `root` say something.
const ROOT_ATTRIBUTES: [&str; 2] = ["BTCPP_format", "main_tree_to_execute"];

/// What was read.
pub(crate) struct Imported {
    pub(crate) files: Files,
    /// What the first file includes.
    pub(crate) includes: Vec<Include>,
    /// What is not as it was there: see the rules that they name.
    pub(crate) notes: Vec<Diagnostic>,
    /// Leaves that nobody declares, taken for actions.
    pub(crate) unknown_leaves: Vec<String>,
    /// The models of all files.
    pub(crate) kept: Kept,
}

/// A file whose elements are read.
struct Sheet {
    source: Source,
    xml: Xml,
    version: Version,
    /// The elements that are trees, and what they are called.
    trees: Vec<(usize, String)>,
    includes: Vec<Include>,
}

/// Reads a text and whatever it includes, directly or through other files, each file once.
pub(crate) fn read_xml(
    source: Source,
    place: &FilePlace,
    loader: &mut dyn Loader,
    options: &Options,
    found: &mut Diagnostics,
) -> Imported {
    let mut gathering = Gathering::new(&source, place, loader);
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut notes = Notes::default();
    let mut keys = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    // Trees that no file so far defines, each looked for once.
    let mut missing: HashSet<String> = HashSet::new();
    let first = (source, place.clone());
    let mut reading = Reading::default();
    // The trees of included files in other formats.
    let mut foreign: Vec<Draft> = Vec::new();
    loop {
        while let Some((place, source)) = gathering.next() {
            keys.push(place.key.clone());
            let format = Format::of_text(&place.name, source.text());
            let mut sheet = match format {
                // The first one was found to be XML, whatever it is called.
                Format::Kdl | Format::Json if !sheets.is_empty() => {
                    let file = sheets.len();
                    let before = foreign.len();
                    let mut sheet = Sheet::empty(source);
                    let (source, includes) = (&sheet.source, &mut sheet.includes);
                    *includes = read_text(format, source, file, &mut reading, &mut foreign, found);
                    names.extend(foreign[before..].iter().map(|draft| draft.name.clone()));
                    sheet
                }
                _ => sheet(source, options, &mut notes, found),
            };
            let named = sheet.includes.clone();
            if !sheets.is_empty() {
                sheet.includes.clear();
            }
            // A file that was only looked into for one tree does not define others anew.
            if !missing.is_empty() {
                sheet.trees.retain(|(_, name)| !names.contains(name));
            }
            names.extend(sheet.trees.iter().map(|(_, name)| name.clone()));
            let source = sheet.source.clone();
            sheets.push(sheet);
            gathering.follow(&source, &place, named, found);
        }
        let used = sheets.iter().flat_map(Sheet::used);
        let used = used.filter(|name| !names.contains(*name) && !missing.contains(*name));
        let next = used.filter_map(|name| Some((name.to_owned(), options.file_of(name)?)));
        let next: Vec<(String, &str)> = next.collect();
        if next.is_empty() {
            break;
        }
        let wanted = next.iter().map(|(_, path)| Include {
            path: (*path).to_owned(),
            span: 0..0,
            comments: Vec::new(),
        });
        gathering.follow(&first.0, &first.1, wanted.collect(), found);
        missing.extend(next.into_iter().map(|(name, _)| name));
    }
    read(sheets, keys, foreign, options, notes, found)
}

/// Reads a text by itself; what it includes is named, not read.
pub(crate) fn read_one(source: &Source, options: &Options, found: &mut Diagnostics) -> Imported {
    let mut notes = Notes::default();
    let sheet = sheet(source.clone(), options, &mut notes, found);
    let keys = vec![source.name().to_owned()];
    read(vec![sheet], keys, Vec::new(), options, notes, found)
}

fn read(
    sheets: Vec<Sheet>,
    keys: Vec<String>,
    mut foreign: Vec<Draft>,
    options: &Options,
    mut notes: Notes,
    found: &mut Diagnostics,
) -> Imported {
    let mut models = Models::default();
    let mut kept = Kept::default();
    for sheet in &sheets {
        for &at in &sheet.root().children {
            if sheet.xml.elements[at].name == "TreeNodesModel" {
                models.read(&sheet.xml, at);
                kept.add(&sheet.xml, at);
            }
        }
    }
    let names = sheets.iter().flat_map(|sheet| &sheet.trees);
    let names: HashSet<String> = names.map(|(_, name)| name.clone()).collect();
    let others: HashSet<String> = foreign.iter().map(|draft| draft.name.clone()).collect();
    let mut fragments = Fragments::default();
    let mut planner = Planner {
        options,
        models: &models,
        trees: &names,
        others: &others,
        notes: &mut notes,
        found,
        script_bytes: 0,
        defaults: 0,
        strangers: BTreeMap::new(),
    };
    let (mut plans, mut own): (Vec<Plan>, usize) = (Vec::new(), 0);
    let mut size = 0;
    for (file, sheet) in sheets.iter().enumerate() {
        for (at, name) in &sheet.trees {
            let plan = plan(&mut planner, &mut fragments, file, sheet, *at, name.clone());
            size += plan.nodes.len();
            plans.push(plan);
        }
        if file == 0 {
            own = plans.len();
        }
        if size > MAX_NODES {
            let message = format!("the files up to this one have more than {MAX_NODES} nodes");
            planner
                .found
                .push(Diagnostic::whole(&sheet.source, Code::Limit.says(message)));
            break;
        }
    }
    planner.tell_strangers();
    let main = main_tree(&sheets, &plans, &mut own, found);
    if main > 0 {
        let first = plans.remove(main);
        plans.insert(0, first);
    }
    if let (Some(plan), Some(sheet)) = (plans.first_mut(), sheets.first()) {
        let editors = sheet.root().attributes.iter().filter(|attribute| {
            let name = attribute.name.as_str();
            !ROOT_ATTRIBUTES.contains(&name) && !name.starts_with("xmlns")
        });
        for attribute in editors {
            let name = format!("_{}", attribute.name.trim_start_matches('_'));
            add_note(&mut plan.meta, name, attribute.value.clone());
        }
    }
    labels_of_names(&mut plans);
    let mut drafts = match found.is_empty() {
        true => drafts(&plans, &models, fragments, options, &mut notes, found),
        false => Vec::new(),
    };
    drafts.append(&mut foreign);
    two_of_a_name(&drafts, found);
    let (notes, unknown_leaves) = notes.finish();
    let all: HashSet<usize> = (0..sheets.len()).collect();
    let seen = sheets.iter().map(|_| all.clone()).collect();
    let includes = sheets.into_iter().next();
    Imported {
        files: Files {
            drafts,
            own,
            seen,
            keys,
        },
        includes: includes.map_or_else(Vec::new, |sheet| sheet.includes),
        notes,
        unknown_leaves,
        kept,
    }
}

fn drafts(
    plans: &[Plan],
    models: &Models,
    fragments: Fragments,
    options: &Options,
    notes: &mut Notes,
    found: &mut Diagnostics,
) -> Vec<Draft> {
    let Some(mut names) = Names::new(plans, models, found) else {
        return Vec::new();
    };
    note_unwritten(plans, notes);
    names.tell(notes);
    let scopes = scopes(plans, &mut names, found);
    let mut mapper = Mapper {
        plans,
        scopes: &scopes,
        names: &mut names,
        models,
        options,
        notes,
        found,
        fragments,
        expr_bytes: 0,
    };
    (0..plans.len()).map(|tree| mapper.draft(tree)).collect()
}

/// The names of the trees of a text; none if it is no file of BehaviorTree.CPP.
pub fn tree_names(text: &str) -> Vec<String> {
    let source = Source::new("", text);
    let mut found = Diagnostics::new();
    let options = Options::new();
    let sheet = sheet(source, &options, &mut Notes::default(), &mut found);
    sheet.trees.into_iter().map(|(_, name)| name).collect()
}

impl Sheet {
    /// A file that holds no elements.
    fn empty(source: Source) -> Sheet {
        Sheet {
            source,
            xml: Xml::empty(),
            version: Version::Four,
            trees: Vec::new(),
            includes: Vec::new(),
        }
    }

    /// The trees that it uses by name.
    fn used(&self) -> impl Iterator<Item = &str> {
        let elements = self.xml.elements.iter();
        let uses = elements.filter(|one| matches!(one.name.as_str(), "SubTree" | "SubTreePlus"));
        uses.filter_map(|element| element.value("ID"))
    }

    fn root(&self) -> &Element {
        &self.xml.elements[0]
    }
}

/// Reads the elements of a file, and what stands in its `root`.
fn sheet(source: Source, options: &Options, notes: &mut Notes, found: &mut Diagnostics) -> Sheet {
    let xml = match Xml::read(&source) {
        Ok(xml) => xml,
        Err(error) => {
            found.push(error);
            Xml::empty()
        }
    };
    let mut sheet = Sheet {
        version: version(&source, &xml, found),
        source,
        xml,
        trees: Vec::new(),
        includes: Vec::new(),
    };
    let root = &sheet.xml.elements[0];
    if root.name != "root" && found.is_empty() {
        let message = format!("expected `root`, found {}", quoted(&root.name));
        let help = "a file of BehaviorTree.CPP is `<root BTCPP_format=\"4\"> … </root>`";
        let error = Diagnostic::new(
            &sheet.source,
            root.span.clone(),
            Code::XmlRoot.says(message),
        );
        found.push(error.with_help(help));
    }
    for attribute in &root.attributes {
        let name = attribute.name.as_str();
        if ROOT_ATTRIBUTES.contains(&name) {
            continue;
        }
        if let Some(meant) = notes.slip(|| slip::port(name, &ROOT_ATTRIBUTES)) {
            let message = format!("{} means nothing here", quoted(name));
            let span = attribute.span.clone();
            notes.tell(slip::warning(&sheet.source, span, message, meant, ""));
        }
    }
    let (mut models, mut paths) = (false, HashSet::new());
    for &at in &root.children {
        let element = &sheet.xml.elements[at];
        match element.name.as_str() {
            "BehaviorTree" => {
                let name = match element.value("ID") {
                    Some(name) => name.to_owned(),
                    None if sheet.trees.is_empty() => "BehaviorTree".to_owned(),
                    None => format!("BehaviorTree_{}", sheet.trees.len()),
                };
                sheet.trees.push((at, name));
            }
            "TreeNodesModel" if !models => models = true,
            "TreeNodesModel" => {
                let message = "a second TreeNodesModel";
                let help = "put all models into one";
                let error = Diagnostic::new(
                    &sheet.source,
                    element.span.clone(),
                    Code::XmlRoot.says(message),
                );
                found.push(error.with_help(help));
            }
            "include" => {
                let include = include(&sheet.source, element, options, found);
                let first = include.filter(|one| paths.insert(one.path.clone()));
                sheet.includes.extend(first);
            }
            name => {
                let message = "this is neither a tree nor a model nor an include, and is not kept";
                let span = element.span.clone();
                match notes.slip(|| slip::port(name, &BLOCKS)) {
                    Some(meant) => {
                        let message = message.to_owned();
                        notes.tell(slip::warning(&sheet.source, span, message, meant, ""));
                    }
                    None => {
                        let message = Code::NotKept.says(message);
                        notes.push(Diagnostic::new(&sheet.source, span, message));
                    }
                }
            }
        }
    }
    sheet
}

/// Which version a file is of, by what it says, else by what only version 4 has.
fn version(source: &Source, xml: &Xml, found: &mut Diagnostics) -> Version {
    match xml.elements[0].attribute("BTCPP_format") {
        Some(format) => match format.value.trim() {
            "4" => Version::Four,
            "3" => Version::Three,
            other => {
                let message = format!("version {} of the format is not known", quoted(other));
                let span = format.value_span.clone();
                found.push(
                    Diagnostic::new(source, span, Code::XmlRoot.says(message))
                        .with_help("known are 3 and 4"),
                );
                Version::Four
            }
        },
        None => {
            let newer = xml.elements.iter().any(|element| {
                matches!(
                    element.name.as_str(),
                    "Script" | "ScriptCondition" | "RunOnce"
                ) || element.attributes.iter().any(|attribute| {
                    matches!(
                        attribute.name.as_str(),
                        "_autoremap"
                            | "_skipIf"
                            | "_successIf"
                            | "_failureIf"
                            | "_while"
                            | "_onSuccess"
                            | "_onFailure"
                            | "_post"
                    )
                })
            });
            match newer {
                true => Version::Four,
                false => Version::Three,
            }
        }
    }
}

fn include(
    source: &Source,
    element: &Element,
    options: &Options,
    found: &mut Diagnostics,
) -> Option<Include> {
    let Some(path) = element.attribute("path") else {
        let message = "an include needs its `path`";
        let error = Diagnostic::new(source, element.span.clone(), Code::Include.says(message));
        found.push(error.with_help("write `<include path=\"other.xml\"/>`"));
        return None;
    };
    let mut place = path.value.clone();
    if place.is_empty() || place.len() > MAX_NAME || place.chars().any(char::is_control) {
        let message = format!("{} is no path of a file", quoted(&place));
        let error = Diagnostic::new(source, path.value_span.clone(), Code::Include.says(message));
        found.push(error.with_help("write `<include path=\"other.xml\"/>`"));
        return None;
    }
    if let Some(package) = element.attribute("ros_pkg")
        && !place.starts_with('/')
    {
        let Some(folder) = options.package(&package.value) else {
            let message = format!(
                "nobody says where the ROS package {} is",
                quoted(&package.value)
            );
            let help =
                "name its folder in the options, or give the included files along with this one";
            let span = package.value_span.clone();
            found.push(Diagnostic::new(source, span, Code::Include.says(message)).with_help(help));
            return None;
        };
        place = format!("{}/{place}", folder.trim_end_matches('/'));
    }
    Some(Include {
        path: place,
        span: path.value_span.clone(),
        comments: element.comments.clone(),
    })
}

/// What stands at the top of a tree. The first editors put a `Root` around it.
fn top<'x>(xml: &'x Xml, tree: &'x Element) -> &'x [usize] {
    match tree.children.as_slice() {
        &[only]
            if xml.elements[only].name == "Root" && xml.elements[only].attributes.is_empty() =>
        {
            &xml.elements[only].children
        }
        children => children,
    }
}

fn plan(
    planner: &mut Planner<'_>,
    fragments: &mut Fragments,
    file: usize,
    sheet: &Sheet,
    at: usize,
    name: String,
) -> Plan {
    let element = &sheet.xml.elements[at];
    let span = match element.attribute("ID") {
        Some(id) => id.value_span.clone(),
        None => element.span.clone(),
    };
    planner.checked_name(&sheet.source, &name, span.clone());
    let nodes = match top(&sheet.xml, element) {
        &[root] => planner.nodes(&sheet.source, sheet.version, &sheet.xml, root),
        children => {
            let message = format!(
                "the tree {} needs exactly one node at its top, found {}",
                quoted(&name),
                children.len()
            );
            let help = match children.len() {
                0 => "put a node inside",
                _ => "put them under a `Sequence`, `Fallback` or `Parallel`",
            };
            let error = Diagnostic::new(&sheet.source, span.clone(), Code::Root.says(message));
            planner.found.push(error.with_help(help));
            Vec::new()
        }
    };
    let declared = element
        .attribute("_kdl")
        .and_then(|attribute| fragments.declarations(&sheet.source, attribute, planner.found));
    // Those that XML cannot have as attributes stand in KDL.
    let mut meta = declared
        .as_ref()
        .map_or_else(Vec::new, |one| one.meta.clone());
    for attribute in &element.attributes {
        let (name, value) = (&attribute.name, &attribute.value);
        if matches!(name.as_str(), "ID" | "_kdl") {
            continue;
        }
        let name = match name.starts_with('_') {
            true => name.clone(),
            false => format!("_{name}"),
        };
        if planner.checked_name(&sheet.source, &name, attribute.span.clone()) {
            add_note(&mut meta, name, value.clone());
        }
    }
    Plan {
        name,
        source: sheet.source.clone(),
        file,
        span,
        comments: element.comments.clone(),
        meta,
        nodes,
        declared,
    }
}

/// The tree to run first: the one that the first file names, else its first one.
fn main_tree(sheets: &[Sheet], plans: &[Plan], own: &mut usize, found: &mut Diagnostics) -> usize {
    let Some(sheet) = sheets.first() else {
        return 0;
    };
    // What a file includes may not have been looked at.
    let includes = sheets.len() == 1 && !sheet.includes.is_empty();
    if plans.is_empty() && found.is_empty() && !includes {
        let error = Diagnostic::whole(&sheet.source, Code::NoTree.says("the file holds no tree"));
        found.push(
            error.with_help("write `<BehaviorTree ID=\"Main\"> … </BehaviorTree>` in its root"),
        );
    }
    // A project only includes: its trees are those of its files.
    if *own == 0 {
        *own = plans.len();
    }
    let Some(main) = sheet.root().attribute("main_tree_to_execute") else {
        // What its tutorials and editors call the tree that is run.
        let own = &plans[..plans.len().min(*own)];
        return own
            .iter()
            .position(|plan| plan.name == "MainTree")
            .unwrap_or(0);
    };
    let at = plans.iter().position(|plan| plan.name == main.value);
    match at {
        Some(at) => {
            if at >= *own {
                *own += 1;
            }
            at
        }
        None => {
            if found.is_empty() {
                let message = format!("no tree is named {}", quoted(&main.value));
                let names = plans.iter().map(|plan| plan.name.as_str());
                let help = did_you_mean(&main.value, names);
                let span = main.value_span.clone();
                found.push(
                    Diagnostic::new(&sheet.source, span, Code::UnknownTree.says(message))
                        .with_help_if(help),
                );
            }
            0
        }
    }
}
