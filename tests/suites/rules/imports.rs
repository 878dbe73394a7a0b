//! What files of BehaviorTree.CPP become does what they say, where that takes several nodes.

use std::time::Duration;

use pleach_vm::{Kernel, Population};

/// An actor of a tree of version 4, with what its columns become and what it was given.
struct Actor {
    population: Population,
    id: pleach_vm::ActorId,
}

impl Actor {
    /// The tree writes 1 to `r` where the node succeeds or is skipped, 2 where it fails.
    fn new(node: &str, kernel: Kernel) -> Actor {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Fallback>\
             <Sequence>{node}<Script code=\"r := 1\"/></Sequence><Script code=\"r := 2\"/>\
             </Fallback></BehaviorTree></root>"
        );
        let document = pleach_text::parse("t.xml", &text);
        let document = document.unwrap_or_else(|errors| panic!("{errors}"));
        let shape = document
            .compile_main()
            .unwrap_or_else(|errors| panic!("{errors}"));
        let mut population = Population::new(shape).with_kernel(kernel);
        let id = population.spawn().expect("room for one");
        Actor { population, id }
    }

    /// What `n` and `r` are behind a tick in which these columns are true and all others false; `n` was 0.
    fn tick(&mut self, columns: &[(&str, bool)]) -> (i32, i32) {
        for (name, value) in columns {
            let column = self.population.column::<bool>(name).expect(name);
            self.population
                .set(self.id, column, *value)
                .expect("it lives");
        }
        let number = |actor: &Actor, name: &str| {
            let column = actor.population.column::<i32>(name).expect("a number");
            actor.population.get(actor.id, column).expect("it lives")
        };
        let n = self.population.column::<i32>("n").expect("a number");
        self.population.set(self.id, n, 0).expect("it lives");
        self.population.tick(Duration::from_millis(10));
        (number(self, "n"), number(self, "r"))
    }
}

const TRUTHS: [bool; 2] = [false, true];

#[test]
fn choices_behind_an_answer_are_made_where_it_is_given() {
    for kernel in Kernel::ALL {
        let node =
            |effects: &str| format!("<ScriptCondition code=\"ok\" _skipIf=\"skip\" {effects}/>");
        let succeeds = "_onSuccess=\"n := b ? 1 : 2\"";
        let fails = "_onFailure=\"n := b ? 3 : 4\"";
        let both = format!("{succeeds} {fails}");
        let mut actors = [
            Actor::new(&node(succeeds), kernel),
            Actor::new(&node(fails), kernel),
            Actor::new(&node(&both), kernel),
            Actor::new(&node("_post=\"n := b ? 5 : 6\""), kernel),
        ];
        // The same actors again: nothing may be left of an earlier answer.
        for (ok, skip, b) in (0..16).map(|at| (at & 1 == 1, at & 6 == 6, at & 8 == 8)) {
            let choice = |then: i32, other: i32| if b { then } else { other };
            let wanted = match (skip, ok) {
                (true, _) => [0; 4],
                (false, true) => [choice(1, 2), 0, choice(1, 2), choice(5, 6)],
                (false, false) => [0, choice(3, 4), choice(3, 4), choice(5, 6)],
            };
            let r = if skip || ok { 1 } else { 2 };
            for (actor, n) in actors.iter_mut().zip(wanted) {
                let found = actor.tick(&[("ok", ok), ("skip", skip), ("b", b)]);
                assert_eq!(found, (n, r), "{kernel:?}: ok {ok}, skip {skip}, b {b}");
            }
        }
    }
}

#[test]
fn a_parallel_all_counts_its_failures_when_all_have_answered() {
    for kernel in Kernel::ALL {
        for count in 1..=3 {
            // The last child is reached whatever the others answer.
            let node = format!(
                "<ParallelAll max_failures=\"{count}\"><ScriptCondition code=\"a\"/><ScriptCondition code=\"b\"/>\
                 <Sequence><Script code=\"n := 7\"/><ScriptCondition code=\"c\"/></Sequence></ParallelAll>"
            );
            let mut actor = Actor::new(&node, kernel);
            for a in TRUTHS {
                for b in TRUTHS {
                    for c in TRUTHS {
                        let failures = [a, b, c].iter().filter(|one| !**one).count();
                        let r = if failures >= count { 2 } else { 1 };
                        let found = actor.tick(&[("a", a), ("b", b), ("c", c)]);
                        assert_eq!(found, (7, r), "{kernel:?}: {count} of {a} {b} {c}");
                    }
                }
            }
        }
    }
}
