use super::*;

#[test]
fn each_case_gives_a_row_for_each_kernel() {
    let options = Options {
        actors: vec![70, 1, 70],
        budget: Duration::ZERO,
        ..Options::default()
    };
    let mut calls = Vec::new();
    let found = run(&options, |progress| calls.push(progress.done)).unwrap();
    let cases = Scene::ALL.len() * Data::ALL.len() * 2;
    assert_eq!(calls, (0..=cases).collect::<Vec<_>>());
    assert_eq!(found.rows.len(), cases * Kernel::ALL.len());
    assert_eq!(found.options.actors, [1, 70]);
    assert!(found.skipped.is_empty());
    for case in found.rows.chunks(Kernel::ALL.len()) {
        let kernels: Vec<&str> = case.iter().map(|row| row.kernel.as_str()).collect();
        assert_eq!(kernels, Kernel::ALL.map(Kernel::name));
        for row in case {
            assert!(row.same_case(&case[0]));
            assert!(row.ns_per_actor_tick.is_finite() && row.rounds >= 5);
            let ([least, most], [low, high]) = (row.ns_range, row.ns_quartiles);
            assert!([least, low, row.ns_per_actor_tick, high, most].is_sorted());
            if let Some(tokens) = row.tokens_visited_per_actor_tick {
                assert!(tokens > 0.0);
            }
        }
    }
    // In the order of the options, actors ascending.
    let first: Vec<_> = found
        .rows
        .chunks(Kernel::ALL.len())
        .take(3)
        .map(|case| (case[0].data.as_str(), case[0].actors))
        .collect();
    let (fresh, next) = (Data::ALL[0].name(), Data::ALL[1].name());
    assert_eq!(first, [(fresh, 1), (fresh, 70), (next, 1)]);
}

#[test]
fn numbers_of_threads_are_kept_apart() {
    let options = Options {
        trees: vec![Scene::Guard.tree()],
        data: vec![Data::Divergent],
        actors: vec![600],
        threads: vec![2, 1, 2],
        budget: Duration::ZERO,
        ..Options::default()
    };
    let found = run(&options, |_| {}).unwrap();
    let threads: Vec<usize> = found.rows.iter().map(|row| row.threads).collect();
    let kernels = Kernel::ALL.len();
    assert_eq!(threads, [vec![2; kernels], vec![1; kernels]].concat());
    assert_eq!(found.options.threads, [2, 1]);
}

#[test]
fn what_takes_too_much_memory_is_skipped() {
    let tree = Scene::Guard.tree();
    let shape = pleach_tree::compile(&tree).unwrap();
    let needs = *shape.requirements();
    let of_kernel =
        |kernel: Kernel| needs.column_bytes_per_actor + kernel.state_bytes_per_actor(&needs);
    let block = Kernel::ALL.map(of_kernel).iter().sum::<u64>() * 512;
    let options = Options {
        trees: vec![tree],
        data: vec![Data::Fresh, Data::Resumed],
        actors: vec![1, 512, 513, 5_000],
        budget: Duration::ZERO,
        max_bytes: block,
        ..Options::default()
    };
    let mut cases = 0;
    let found = run(&options, |progress| cases = progress.cases).unwrap();
    assert_eq!(cases, 4);
    assert_eq!(found.rows.len(), 4 * Kernel::ALL.len());
    let skipped = |actors, blocks| Skipped {
        tree: "guard".to_owned(),
        actors,
        bytes: blocks * block,
    };
    assert_eq!(found.skipped, [skipped(513, 2), skipped(5_000, 10)]);
}

#[test]
fn a_tree_that_does_not_compile_is_named() {
    let tree = Tree::build("broken").root(pleach_tree::condition("no_such_column"));
    let options = Options {
        trees: vec![tree],
        ..Options::default()
    };
    let error = run(&options, |_| {}).unwrap_err().to_string();
    assert!(error.starts_with("tree \"broken\": "), "{error}");
}

#[test]
fn a_budget_is_shared_and_nobody_goes_without() {
    let mut budget = Budget::new(Duration::from_secs(1_000), 4);
    let share = budget.next();
    assert!(share > Duration::from_secs(249) && share <= Duration::from_secs(250));
    // Nobody has used any of it.
    assert!(budget.next() > Duration::from_secs(300));
    let mut spent = Budget {
        until: Instant::now(),
        ..Budget::new(Duration::from_secs(60), 100)
    };
    assert_eq!(spent.next(), Duration::from_millis(50));
    assert_eq!(Budget::new(Duration::ZERO, 0).next(), Duration::ZERO);
}
