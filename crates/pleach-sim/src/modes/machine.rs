//! The machine: what figures depend on besides the code.

use serde::Serialize;

/// The machine that measured, as far as it can be found out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Threads that the system runs at a time.
    pub cores: usize,
    /// The operating system.
    pub os: String,
    /// The instructions that this program was compiled to.
    pub built_for: String,
    /// The most that this processor would understand, in the same terms.
    pub understands: String,
    /// The instruction set that lanes are computed with: see [`Simd`](pleach_vm::Simd).
    pub lanes: String,
    /// Whether it was compiled with assertions, as for debugging: figures then mean little.
    pub debug: bool,
}

impl Machine {
    /// This machine.
    pub fn this() -> Machine {
        Machine {
            cpu: cpu(),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            os: std::env::consts::OS.to_owned(),
            built_for: instructions::built_for().to_owned(),
            understands: instructions::understands().to_owned(),
            lanes: pleach_vm::Simd::detected().name().to_owned(),
            debug: cfg!(debug_assertions),
        }
    }
}

/// The processor's name, without what makers put around it.
fn tidy(name: &str) -> Option<String> {
    let name = name.replace(['\0', '\t'], " ");
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(target_arch = "x86_64")]
fn cpu() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    /// The last of three leaves that hold the name.
    const LAST: u32 = 0x8000_0004;
    if __cpuid(0x8000_0000).eax < LAST {
        return None;
    }
    let bytes: Vec<u8> = (LAST - 2..=LAST)
        .flat_map(|leaf| {
            let found = __cpuid(leaf);
            [found.eax, found.ebx, found.ecx, found.edx].map(u32::to_le_bytes)
        })
        .flatten()
        .collect();
    tidy(&String::from_utf8_lossy(&bytes))
}

#[cfg(not(target_arch = "x86_64"))]
fn cpu() -> Option<String> {
    // Only some systems have it, and only some of those a name in it.
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    tidy(line.split_once(':')?.1)
}

/// The levels of x86-64 that compilers and distributions agree on.
#[cfg(target_arch = "x86_64")]
mod instructions {
    use std::is_x86_feature_detected as has;

    pub(super) fn built_for() -> &'static str {
        level(
            cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")),
            cfg!(all(
                target_feature = "avx2",
                target_feature = "bmi2",
                target_feature = "fma"
            )),
            cfg!(all(
                target_feature = "avx512bw",
                target_feature = "avx512vl"
            )),
        )
    }

    pub(super) fn understands() -> &'static str {
        level(
            has!("sse4.2") && has!("popcnt"),
            has!("avx2") && has!("bmi2") && has!("fma"),
            has!("avx512bw") && has!("avx512vl"),
        )
    }

    fn level(second: bool, third: bool, fourth: bool) -> &'static str {
        match (second, third, fourth) {
            (true, true, true) => "x86-64-v4 (AVX-512)",
            (true, true, false) => "x86-64-v3 (AVX2)",
            (true, false, _) => "x86-64-v2 (SSE4.2)",
            (false, ..) => "x86-64 (SSE2)",
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod instructions {
    use std::env::consts::ARCH;

    pub(super) fn built_for() -> &'static str {
        ARCH
    }

    pub(super) fn understands() -> &'static str {
        ARCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_says_something() {
        let machine = Machine::this();
        assert!(machine.cores >= 1);
        assert!(!machine.built_for.is_empty() && !machine.understands.is_empty());
        assert_eq!(machine.cpu.as_deref().and_then(tidy), machine.cpu);
    }

    #[test]
    fn names_are_tidied() {
        assert_eq!(
            tidy(" A  CPU @ 3 GHz\0\0").as_deref(),
            Some("A CPU @ 3 GHz")
        );
        assert_eq!(tidy("\0 \0"), None);
    }
}
