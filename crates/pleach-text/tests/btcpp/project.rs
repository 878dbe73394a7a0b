//! Files that include others, made one.

use pleach_text::btcpp::Options;
use pleach_text::{FilePlace, Format, LoadError, Source, TreeFile, parse};

use crate::corpus;

/// The main tree maps a key whose type only the included file says.
const MAIN: &str = "<root BTCPP_format=\"4\"><include path=\"lib/steps.xml\"/>\
    <BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"Count\" n=\"{total}\"/><SubTree ID=\"Say\" text=\"hi\"/>\
    <ScriptCondition code=\"total &gt; 2\"/><Look/></Sequence></BehaviorTree></root>";
const STEPS: &str = "<root BTCPP_format=\"4\"><include path=\"../main.xml\"/><include path=\"say.kdl\"/>\
    <BehaviorTree ID=\"Count\"><Script code=\"n := n + 1\"/></BehaviorTree>\
    <BehaviorTree ID=\"Unused\"><AlwaysSuccess/></BehaviorTree></root>";
const SAY: &str = "tree \"Say\" { params { text text; }; action \"say\" text=(param)\"text\"; }";

fn read(options: &Options) -> Result<TreeFile, String> {
    let mut loader = |path: &str| match path {
        "main.xml" => Ok(MAIN.to_owned()),
        "lib/steps.xml" => Ok(STEPS.to_owned()),
        "lib/say.kdl" => Ok(SAY.to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    };
    let place = FilePlace::new("main.xml");
    TreeFile::of_project(Source::new("main.xml", MAIN), &place, &mut loader, options)
        .map_err(|errors| errors.to_string())
}

#[test]
fn a_file_and_what_it_uses_become_one_file() {
    let file = read(&Options::new()).unwrap();
    let names: Vec<&str> = file.tree_names().collect();
    assert_eq!(names, ["Main", "Count", "Say"]);
    assert_eq!(file.includes().len(), 0);
    assert_eq!(file.remarks().unknown_leaves(), ["Look"]);
    for format in Format::ALL {
        let text = file.write(format).unwrap();
        let name = format!("all.{}", format.name());
        let document = parse(&name, &text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        document
            .compile_main()
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let kdl = TreeFile::read(format, &name, &text).unwrap();
        assert_eq!(
            kdl.write(Format::Kdl).unwrap(),
            file.write(Format::Kdl).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn a_tree_that_is_nowhere_is_an_error() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><SubTree ID=\"Nowhere\" pose=\"{pose}\" speed=\"0.5\"/></BehaviorTree></root>";
    let mut nothing = |_: &str| Err::<String, _>(LoadError::new("there is no such file"));
    let place = FilePlace::new("a.xml");
    let mut of = |options: &Options| {
        TreeFile::of_project(Source::new("a.xml", text), &place, &mut nothing, options)
    };
    let errors = of(&Options::new()).unwrap_err().to_string();
    assert!(
        errors.contains("Nowhere") && errors.contains("`--with`"),
        "{errors}"
    );
    let options = Options::new().with_missing_trees_as_actions();
    let kdl = of(&options).unwrap().write(Format::Kdl).unwrap();
    assert!(
        kdl.contains("action \"Nowhere\" pose=\"{pose}\" speed=0.5"),
        "{kdl}"
    );
}

#[test]
fn real_projects_become_files_that_load() {
    let mut count = 0;
    let files = corpus::files();
    let shelves = corpus::Shelves::new(&files);
    let options = corpus::project_options();
    for found in &files {
        let (mut loader, place) = shelves.loader(found);
        let source = Source::new(&place.name, &found.text);
        let Ok(file) = TreeFile::of_project(source, &place, &mut loader, &options) else {
            continue;
        };
        for format in [Format::Kdl, Format::Json, Format::Xml] {
            let text = file.write(format).unwrap();
            let name = format!("{}.{}", found.name, format.name());
            let document = pleach_text::parse(&name, &text);
            // One whose trees all want parameters cannot run.
            let document = document.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
            for tree in document.trees() {
                document
                    .compile(tree.name())
                    .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
            }
        }
        count += 1;
    }
    assert!(count == 0 || count > 70, "{count}");
}
