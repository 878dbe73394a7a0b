//! Progress of long work: on a terminal, and only there.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on the error output; hidden if that is no terminal, or if it is not wanted. The template
/// says what stands around `{wide_bar}`.
pub(crate) fn bar(quiet: bool, template: &str) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(12));
    // Templates are constants; if one were wrong, the default bar would do.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
