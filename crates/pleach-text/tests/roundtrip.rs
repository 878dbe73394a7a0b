//! Any tree survives being written and read, and hostile texts are survived.

mod parts;

use std::time::Duration;

use self::parts::PARTS;
use pleach_text::btcpp::Options;
use pleach_text::{Format, Source, TreeFile, parse, parse_bytes, write, write_all};
use pleach_tree::{
    BinaryOp, Call, CaseValue, Column, Expr, ExprKind, NodeDef, NodeId, NodeKind, Parameter,
    ParameterValue, Threshold, Tree, UnaryOp, Value, WorldValue,
};
use proptest::prelude::*;

fn float() -> impl Strategy<Value = f32> {
    any::<u32>()
        .prop_map(f32::from_bits)
        .prop_filter("finite", |value| value.is_finite())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<u8>().prop_map(Value::U8),
        any::<u16>().prop_map(Value::U16),
        any::<i32>().prop_map(Value::I32),
        float().prop_map(Value::F32),
        any::<u64>().prop_map(Value::U64),
        Just(Value::U64(u64::MAX)),
        Just(Value::F32(-0.0)),
        Just(Value::F32(f32::MIN_POSITIVE / 8.0)),
    ]
}

/// Texts with what is hard to write: quotes, line ends, controls, marks that turn the direction.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        any::<String>().prop_filter("short", |text| text.len() <= 256),
        "[\"\\\\\n\r\t\u{0}\u{1b}\u{7f}\u{85}\u{200e}\u{2028}\u{feff}#/{};=*() a]{0,12}",
        prop::sample::select(vec![
            "true",
            "null",
            "-inf",
            "1x",
            "",
            "r",
            "/*",
            "守卫",
            "\"\"\"",
            "name",
            "when",
            "abort_when",
            "case",
            "enum",
            // What BehaviorTree.CPP knows, or would take for something else.
            "Sequence",
            "SetBlackboard",
            "GoalReached",
            "PleachIdle",
            "kdl",
            "ID",
            "_kdl",
            "xmlns",
            "{flag}",
            " {count} ",
            "{=}",
            "{@ratio}",
            "5",
            "-0.5",
            "com`at",
            "]]>",
            "a\u{fffe}",
            "\u{1680}a",
        ])
        .prop_map(str::to_owned),
    ]
}

/// Names that trees of [`typed`] have.
const TYPED: [&str; 5] = ["flag", "count", "byte", "ratio", "mode"];

fn named_value(names: &'static [&'static str]) -> impl Strategy<Value = Expr> {
    prop::sample::select(names).prop_map(|name| Expr::new(ExprKind::Name(name.to_owned())))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

/// Expressions that compute a number from columns of [`typed`].
fn number() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        2 => named_value(&["count", "byte"]),
        2 => named_value(&["ratio"]),
        1 => (-9..9i128).prop_map(|value| Expr::new(ExprKind::Int(value))),
        1 => (-9..9i8).prop_map(|value| Expr::new(ExprKind::Float(f32::from(value) / 4.0))),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        use BinaryOp::*;
        let ops = prop::sample::select(vec![Add, Sub, Mul, Div, Min]);
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(inner)))),
            3 => (ops, inner.clone(), inner).prop_map(|(op, left, right)| binary(op, left, right)),
        ]
    })
}

/// Expressions that are true or false.
fn truth() -> impl Strategy<Value = Expr> {
    use BinaryOp::*;
    let comparisons = prop::sample::select(vec![Lt, Le, Gt, Ge, Eq, Ne]);
    let equalities = prop::sample::select(vec![Eq, Ne]);
    let words: &[&str] = &[
        "mode",
        "mode.label_0",
        "mode.label_1",
        "tone",
        "tone.label_0",
    ];
    let leaf = prop_oneof![
        2 => named_value(&["flag"]),
        1 => any::<bool>().prop_map(|value| Expr::new(ExprKind::Bool(value))),
        3 => (comparisons, number(), number()).prop_map(|(op, left, right)| binary(op, left, right)),
        2 => (equalities, named_value(words), named_value(words))
            .prop_map(|(op, left, right)| binary(op, left, right)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let ops = prop::sample::select(vec![Or, And, Eq, Ne]);
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(inner)))),
            2 => (ops, inner.clone(), inner).prop_map(|(op, left, right)| binary(op, left, right)),
        ]
    })
}

fn expr() -> impl Strategy<Value = Expr> {
    prop_oneof![2 => any_expr(), 2 => truth(), 1 => number()]
        // Only what the expression language itself reads back: that is its own property to keep.
        .prop_filter("reads back", |expr| {
            Expr::parse(&expr.to_string()).as_ref() == Ok(expr)
        })
}

/// The name of a column: one that is typed, or any.
fn column() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(&TYPED[..]).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn any_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(ExprKind::Bool),
        any::<i128>().prop_map(ExprKind::Int),
        prop::sample::select(vec![i128::MAX, i128::from(u64::MAX), 0]).prop_map(ExprKind::Int),
        float().prop_map(ExprKind::Float),
        "[a-z]{3,6}x".prop_map(ExprKind::Name),
    ]
    .prop_map(Expr::new);
    leaf.prop_recursive(4, 12, 2, |inner| {
        use BinaryOp::*;
        let ops = vec![
            Or, And, Lt, Le, Gt, Ge, Eq, Ne, Add, Sub, Mul, Div, Min, Max,
        ];
        prop_oneof![
            (
                prop::sample::select(vec![UnaryOp::Not, UnaryOp::Abs, UnaryOp::Neg]),
                inner.clone()
            )
                .prop_map(|(op, inner)| ExprKind::Unary(op, Box::new(inner))),
            (prop::sample::select(ops), inner.clone(), inner).prop_map(|(op, left, right)| {
                ExprKind::Binary(op, Box::new(left), Box::new(right))
            }),
        ]
        .prop_map(Expr::new)
    })
}

fn call() -> impl Strategy<Value = Call> {
    let value = prop_oneof![
        3 => value().prop_map(ParameterValue::Const),
        1 => text().prop_map(ParameterValue::Text),
        1 => column().prop_map(ParameterValue::Name),
    ];
    let params = prop::collection::vec((text(), value), 0..4);
    (text(), params).prop_map(|(name, params)| {
        let mut call = Call {
            name,
            params: Vec::new(),
        };
        for (name, value) in params {
            if call.params.iter().all(|param| param.name != name) {
                call.params.push(Parameter { name, value });
            }
        }
        call
    })
}

fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        Just(Threshold::All),
        any::<u32>().prop_map(Threshold::Count),
        Just(Threshold::Count(1))
    ]
}

fn leaf() -> impl Strategy<Value = NodeDef> {
    let kind = prop_oneof![
        expr().prop_map(NodeKind::Condition),
        call().prop_map(NodeKind::Query),
        call().prop_map(NodeKind::Action),
        call().prop_map(NodeKind::PersistentAction),
        call().prop_map(NodeKind::Task),
        (column(), expr()).prop_map(|(column, value)| NodeKind::Set { column, value }),
        time().prop_map(NodeKind::Wait),
        (time(), time()).prop_map(|(one, other)| NodeKind::WaitBetween {
            min: one.min(other),
            max: one.max(other),
        }),
        Just(NodeKind::Succeed),
        Just(NodeKind::Fail),
        Just(NodeKind::Idle),
    ];
    (kind, prop::option::of(text())).prop_map(|(kind, name)| named(NodeDef::new(kind, []), name))
}

fn named(def: NodeDef, name: Option<String>) -> NodeDef {
    match name {
        Some(name) => def.named(name),
        None => def,
    }
}

fn time() -> impl Strategy<Value = Duration> {
    (0..1u64 << 39, 0..1_000_000_000u32).prop_map(|(s, n)| Duration::new(s, n))
}

fn times() -> impl Strategy<Value = Option<u32>> {
    prop::option::of(1..=u32::MAX)
}

fn case() -> impl Strategy<Value = CaseValue> {
    prop_oneof![
        any::<bool>().prop_map(CaseValue::Bool),
        any::<i32>().prop_map(CaseValue::Int),
        text().prop_map(CaseValue::Label),
        Just(CaseValue::Label("label_0".to_owned())),
    ]
}

/// A switch: some cases, all different, then maybe an else.
fn switch(inner: BoxedStrategy<NodeDef>) -> impl Strategy<Value = NodeDef> {
    let cases = prop::collection::vec((case(), inner.clone()), 1..4);
    let names = (column(), prop::option::of(text()));
    (names, cases, prop::option::of(inner)).prop_map(|((on, name), branches, otherwise)| {
        let (mut cases, mut children) = (Vec::new(), Vec::new());
        for (case, child) in branches {
            if !cases.contains(&Some(case.clone())) {
                cases.push(Some(case));
                children.push(child);
            }
        }
        if let Some(child) = otherwise {
            cases.push(None);
            children.push(child);
        }
        named(NodeDef::new(NodeKind::Switch { on, cases }, children), name)
    })
}

fn node() -> impl Strategy<Value = NodeDef> {
    leaf().prop_recursive(5, 24, 4, |inner| {
        let inner = inner.boxed();
        prop_oneof![5 => parent(inner.clone()), 1 => switch(inner)]
    })
}

fn parent(inner: BoxedStrategy<NodeDef>) -> impl Strategy<Value = NodeDef> {
    let first = prop_oneof![
        Just(NodeKind::Sequence),
        Just(NodeKind::Selector),
        Just(NodeKind::ReactiveSequence),
        Just(NodeKind::ReactiveSelector),
        Just(NodeKind::Concurrent),
        Just(NodeKind::RandomSequence),
        Just(NodeKind::RandomSelector),
        Just(NodeKind::IfThenElse),
        Just(NodeKind::WhileDoElse),
        Just(NodeKind::Invert),
        Just(NodeKind::Succeeder),
        Just(NodeKind::Failer),
    ];
    let second = prop_oneof![
        Just(NodeKind::RunOnce),
        (threshold(), threshold())
            .prop_map(|(success, failure)| NodeKind::Parallel { success, failure }),
        (times(), any::<bool>()).prop_map(|(times, break_on_failure)| NodeKind::Repeat {
            times,
            break_on_failure
        }),
        times().prop_map(|max| NodeKind::RepeatUntilFailure { max }),
        times().prop_map(|max| NodeKind::RepeatUntilSuccess { max }),
        time().prop_map(NodeKind::Cooldown),
        time().prop_map(NodeKind::Timeout),
        time().prop_map(NodeKind::Delay),
        expr().prop_map(NodeKind::When),
        expr().prop_map(NodeKind::While),
        expr().prop_map(NodeKind::DoneWhen),
        expr().prop_map(NodeKind::AbortWhen),
    ];
    let effect = (column(), expr(), 0..4).prop_map(|(column, value, which)| match which {
        0 => NodeKind::OnSuccess { column, value },
        1 => NodeKind::OnFailure { column, value },
        2 => NodeKind::OnFinish { column, value },
        _ => NodeKind::OnHalted { column, value },
    });
    let third = prop_oneof![
        Just(NodeKind::KeepSequence),
        Just(NodeKind::RunOnceThenSkip),
        Just(NodeKind::PipelineSequence),
        Just(NodeKind::RoundRobin),
        expr().prop_map(NodeKind::SkipIf),
        expr().prop_map(NodeKind::SuccessIf),
        expr().prop_map(NodeKind::SkipUnless),
        any::<u32>().prop_map(|retries| NodeKind::Recovery { retries }),
        time().prop_map(NodeKind::RateController),
        effect,
    ];
    (
        prop_oneof![first, second, third],
        prop::option::of(text()),
        prop::collection::vec(inner, 0..4),
    )
        .prop_map(|(kind, name, children)| named(NodeDef::new(kind, children), name))
}

/// A value with its labels, if it is an enumeration.
fn declared() -> impl Strategy<Value = (Value, Vec<String>)> {
    prop_oneof![
        3 => value().prop_map(|value| (value, Vec::new())),
        1 => (1..6u8, any::<u8>()).prop_map(|(count, first)| {
            let labels = (0..count).map(|n| format!("label_{n}")).collect();
            (Value::U8(first % count), labels)
        }),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    tree_with(text(), text().boxed())
}

fn tree_with(
    name: impl Strategy<Value = String>,
    column: BoxedStrategy<String>,
) -> impl Strategy<Value = Tree> {
    let declared = || prop::collection::vec((column.clone(), declared()), 0..4);
    (name, declared(), declared(), node()).prop_map(|(name, columns, world, root)| {
        let mut builder = Tree::build(name);
        let mut seen = Vec::new();
        for (index, (name, (default, labels))) in columns.iter().chain(&world).enumerate() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let (name, default, labels) = (name.clone(), *default, labels.clone());
            builder = match index < columns.len() {
                true => builder.with_columns([Column {
                    name,
                    default,
                    labels,
                }]),
                false => builder.with_world([WorldValue {
                    name,
                    default,
                    labels,
                }]),
            };
        }
        builder.root(root)
    })
}

/// A tree whose names XML can have, with columns of all types that scripts know.
fn typed() -> impl Strategy<Value = Tree> {
    let column = "[a-z ]{1,3}|[a-z]{1,2}\u{1}";
    tree_with("[a-z <&]{1,4}", column.boxed()).prop_map(|tree| {
        let column = |name: &str, default, labels: &[&str]| Column {
            name: name.to_owned(),
            default,
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
        };
        let columns = [
            column("flag", Value::Bool(false), &[]),
            column("count", Value::I32(0), &[]),
            column("byte", Value::U8(0), &[]),
            column("ratio", Value::F32(0.5), &[]),
            column("mode", Value::U8(1), &["label_0", "label_1"]),
            column("tone", Value::U8(0), &["label_1", "label_0", "label_2"]),
        ];
        let root = copy(&tree, tree.root());
        Tree::build(tree.name())
            .with_columns(columns)
            .with_columns(tree.columns().iter().cloned())
            .with_world(tree.world().iter().cloned())
            .root(root)
    })
}

/// A node of a tree with all below, as one that another tree can have.
fn copy(tree: &Tree, id: NodeId) -> NodeDef {
    let node = tree.node(id).expect("it is there");
    let children: Vec<NodeDef> = node.children.iter().map(|&id| copy(tree, id)).collect();
    named(NodeDef::new(node.kind.clone(), children), node.name.clone())
}

/// The bits of all floats that stand in a tree: `==` does not tell 0.0 from -0.0.
fn bits(tree: &Tree) -> String {
    format!("{tree:?}")
}

const SAMPLE: &str = include_str!("../../../trees/guard.kdl");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn written_trees_read_back_equal(tree in tree()) {
        let text = write(&tree);
        let document = match parse("a.kdl", &text) {
            Ok(document) => document,
            Err(error) => panic!("{error}\n---\n{text}"),
        };
        prop_assert_eq!(document.main(), &tree, "{}", text);
        prop_assert_eq!(bits(document.main()), bits(&tree));
        prop_assert_eq!(write(document.main()), text);
        let json = TreeFile::of_trees([&tree]).write(Format::Json).unwrap();
        let document = match parse("a.json", &json) {
            Ok(document) => document,
            Err(error) => panic!("{error}\n---\n{json}"),
        };
        prop_assert_eq!(bits(document.main()), bits(&tree), "{}", json);
    }

    #[test]
    fn trees_written_as_xml_read_back_equal(a in typed(), b in typed()) {
        prop_assume!(a.name().trim() != b.name().trim());
        let xml = TreeFile::of_trees([&a, &b]).write(Format::Xml).unwrap();
        let read = TreeFile::of_xml(Source::new("a.xml", &xml), &Options::new());
        let file = match read {
            Ok(file) => file,
            Err(errors) => panic!("{errors}\n---\n{xml}"),
        };
        let kdl = file.write(Format::Kdl).unwrap();
        let document = parse("a.kdl", &kdl).unwrap();
        prop_assert_eq!(bits(&document.trees()[0]), bits(&a), "{}\n{}", xml, kdl);
        prop_assert_eq!(bits(&document.trees()[1]), bits(&b), "{}\n{}", xml, kdl);
        prop_assert_eq!(file.write(Format::Xml).unwrap(), xml);
    }

    #[test]
    fn several_trees_share_a_file(a in tree(), b in tree()) {
        prop_assume!(a.name() != b.name());
        let document = parse("a.kdl", &write_all([&a, &b])).unwrap();
        prop_assert_eq!(document.trees(), &[a, b]);
    }

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Err(errors) = parse_bytes("a.kdl", &bytes) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }

    #[test]
    fn random_changes_of_a_file_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..3u8, prop::sample::select(PARTS)), 1..6),
    ) {
        let mut chars: Vec<char> = SAMPLE.chars().collect();
        for (at, what, part) in changes {
            let at = at.index(chars.len());
            match what {
                0 => { chars.remove(at); }
                1 => { chars.splice(at..at, part.chars()); }
                _ => { let end = (at + 40).min(chars.len()); chars.drain(at..end); }
            }
        }
        let text: String = chars.into_iter().collect();
        match parse("a.kdl", &text) {
            Ok(document) => {
                if let Err(errors) = document.compile_main() {
                    prop_assert!(errors.to_string().contains(" --> a.kdl:"));
                }
            }
            Err(errors) => prop_assert!(errors.to_string().contains(" --> a.kdl")),
        }
    }
}
