//! What hosts may do to a state that has the module.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mlua::{Error, Lua, StdLib, Table, Value, VmState};

fn prepared() -> Lua {
    let lua = Lua::new();
    let module = pleach_luau::register(&lua).expect("the module is made");
    lua.globals().set("BT", module).expect("it is set");
    lua
}

const EVERYTHING: &str = r#"
    local exits = 0
    local node = BT.Parallel({
        BT.Selector({ BT.Sequence({ BT.Condition(function() return false end) }), BT.Wait(1) }),
        BT.Task({
            onEnter = function(agent) agent.entered = { "something" } end,
            run = function() return "Running" end,
            onExit = function() exits += 1 end,
        }),
    }, { SuccessThreshold = 2 })
    for _ = 1, 20 do
        node = BT.Sequence({ BT.Succeed(), node })
    end
    local tree = BT.Compile(node)
    local agents = {}
    for number = 1, 20 do
        agents[number] = { number = number }
        tree:Tick(agents[number], agents, 0.1)
        tree:Tick(agents[number], agents, 0.1)
    end
    for _, agent in agents do
        tree:Reset(agent, agents)
    end
    assert(exits == #agents)
    return tree
"#;

#[test]
fn memory_that_runs_out_is_an_error_wherever_it_does() {
    let lua = prepared();
    let enough = |lua: &Lua| lua.set_memory_limit(0).map(drop);
    lua.load(EVERYTHING).exec().expect("there is memory enough");
    let mut failures = 0;
    for more in (0..60_000).step_by(100) {
        lua.gc_collect().expect("garbage goes");
        lua.set_memory_limit(lua.used_memory() + more)
            .expect("a limit is set");
        let outcome = lua.load(EVERYTHING).exec();
        enough(&lua).expect("the limit is lifted");
        failures += u32::from(outcome.is_err());
    }
    assert!(failures > 100, "{failures} failures");
    lua.load(EVERYTHING).exec().expect("all is well again");
}

#[test]
fn a_panic_of_the_hosts_goes_through_a_tick_that_is_completed() {
    let lua = prepared();
    let panics = lua.create_function(|_, ()| -> mlua::Result<()> { panic!("the host's own") });
    lua.globals()
        .set("hostPanics", panics.expect("a function"))
        .expect("it is set");
    lua.load(
        r#"
            log, agent, panics = {}, {}, true
            tree = BT.Compile(BT.Selector({
                BT.Task({
                    run = function()
                        if panics then hostPanics() end
                        return "Running"
                    end,
                    onExit = function(_, _, reason) table.insert(log, reason) end,
                }),
                BT.Condition(function() table.insert(log, "second") return true end),
            }))
        "#,
    )
    .exec()
    .expect("a tree");
    let tick = "return tree:Tick(agent, nil, 0)";
    let panic = catch_unwind(AssertUnwindSafe(|| lua.load(tick).exec()));
    let payload = panic.expect_err("it goes on to the host");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the host's own"));
    let log: Vec<String> = lua.load("panics = false return log").eval().expect("a log");
    assert_eq!(log, ["Failure", "second"]);
    let status: String = lua.load(tick).eval().expect("the progress is usable");
    assert_eq!(status, "Running");
}

#[test]
fn a_script_that_is_interrupted_in_a_callback_can_go_on_later() {
    let lua = prepared();
    lua.load(
        r#"
            agent, endless = {}, true
            tree = BT.Compile(BT.Task({
                run = function()
                    while endless do end
                    return "Success"
                end,
            }))
        "#,
    )
    .exec()
    .expect("a tree");
    lua.set_interrupt(|_| Err::<VmState, _>(Error::runtime("out of time")));
    let error = lua.load("return tree:Tick(agent, nil, 0)").exec();
    assert!(
        error
            .expect_err("it is interrupted")
            .to_string()
            .contains("out of time")
    );
    lua.remove_interrupt();
    let status: String = lua
        .load("endless = false return tree:Tick(agent, nil, 0)")
        .eval()
        .expect("it goes on");
    assert_eq!(status, "Success");
}

#[test]
fn an_error_of_a_host_function_is_told_like_a_scripts() {
    let lua = prepared();
    let refuses = lua.create_function(|_, ()| Err::<(), _>(Error::runtime("not today")));
    lua.globals()
        .set("hostRefuses", refuses.expect("a function"))
        .expect("it is set");
    let error = lua
        .load("BT.Compile(BT.Condition(function() return hostRefuses() end)):Tick({}, nil, 0)")
        .set_name("=own.luau")
        .exec()
        .expect_err("it raises");
    let error = error.to_string();
    assert!(
        error.contains("own.luau:1: Condition: fn (own.luau:1) raised an error: "),
        "{error}"
    );
    assert!(error.contains("not today"), "{error}");
}

#[test]
fn the_module_can_be_there_twice() {
    let lua = prepared();
    let other: Table = pleach_luau::register(&lua).expect("another one");
    lua.globals().set("Other", other).expect("it is set");
    let status: String = lua
        .load(
            "return Other.Compile(BT.Sequence({ Other.Succeed(), BT.Succeed() })):Tick({}, nil, 0)",
        )
        .eval()
        .expect("nodes of one are nodes for the other");
    assert_eq!(status, "Success");
}

#[test]
fn a_state_goes_with_everything_in_it() {
    let lua = prepared();
    let tree: Value = lua.load(EVERYTHING).eval().expect("a tree");
    assert_eq!(
        pleach_luau::live_agents(&tree).map(|live| live <= 20),
        Some(true)
    );
    assert_eq!(pleach_luau::live_agents(&Value::Nil), None);
    drop(lua);
    drop(tree);
}

#[test]
fn trees_that_nobody_holds_make_room_for_others() {
    let lua = prepared();
    let script = r#"
        local node = BT.Succeed()
        for _ = 1, 17 do
            node = BT.Sequence({ node, node })
        end
        local trees = setmetatable({}, { __mode = "k" })
        for _ = 1, 24 do
            trees[BT.Compile(node)] = true
        end
        local live = 0
        for _ in trees do
            live += 1
        end
        return live
    "#;
    // The trees take more than 10 MB each, of which the collector sees a few hundred bytes.
    let live: usize = lua.load(script).eval().expect("trees are made");
    assert!(live < 16, "{live} of 24 trees are there");
}

#[test]
fn a_state_without_a_base_library_is_refused() {
    let lua = Lua::new_with(StdLib::TABLE, mlua::LuaOptions::default()).expect("a state");
    lua.globals().set("error", Value::Nil).expect("it is taken");
    assert!(pleach_luau::register(&lua).is_err());
}
