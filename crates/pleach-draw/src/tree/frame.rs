//! The form of a box: how large it is, and its outline.

use super::caption::Caption;
use super::icon::Family;
use super::text::{fitted, width};
use crate::canvas::Pixels;

/// Sizes of the two lines' fonts, in pixels.
pub(crate) const TITLE: f64 = 12.5;
/// The size of the second line's font.
pub(crate) const BELOW: f64 = 10.5;
/// The widest that a line of text gets.
const MOST: f64 = 240.0;
/// From a box's side to what is in it.
const INSET: f64 = 9.0;
/// Between the icon and the text.
const BESIDE: f64 = 7.0;
/// A box of one line, and of two. All sizes are even, so that middles fall on whole pixels.
const HEIGHTS: [f64; 2] = [26.0, 42.0];

/// A box: its texts, fitted, and its size.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) caption: Caption,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Where its texts begin.
    pub(crate) text: f64,
}

impl Frame {
    /// The box of what is said in it.
    pub(crate) fn of(mut caption: Caption) -> Frame {
        caption.title = fitted(&caption.title, TITLE, MOST);
        caption.below = fitted(&caption.below, BELOW, MOST);
        let icon = caption.icon.map_or(0.0, |icon| icon.width() + BESIDE);
        let lines = width(&caption.title, TITLE).max(width(&caption.below, BELOW));
        Frame {
            width: ((INSET + icon + lines + INSET) / 2.0).ceil() * 2.0,
            height: HEIGHTS[usize::from(!caption.below.is_empty())],
            text: INSET + icon,
            caption,
        }
    }

    /// Where the icon begins.
    pub(crate) fn icon(&self) -> (f64, f64) {
        (INSET, (self.height / 2.0 - 6.0).round())
    }

    /// The family's name, or that it stands for others.
    pub(crate) fn class(&self) -> &'static str {
        self.caption
            .icon
            .map_or("folded", |icon| icon.family().name())
    }

    /// The outline, half a pixel inside, so that lines are sharp. Families differ in it as in colour.
    pub(crate) fn outline(&self) -> String {
        let (right, bottom) = (self.width - 0.5, self.height - 0.5);
        let corner = match self.caption.icon.map(|icon| icon.family()) {
            Some(Family::Decorator) => {
                let cut = 7.0;
                let places = [
                    (0.5 + cut, 0.5),
                    (right - cut, 0.5),
                    (right, 0.5 + cut),
                    (right, bottom - cut),
                    (right - cut, bottom),
                    (0.5 + cut, bottom),
                    (0.5, bottom - cut),
                    (0.5, 0.5 + cut),
                ];
                let places = places.map(|(x, y)| format!("{} {}", Pixels(x), Pixels(y)));
                return format!("M{}Z", places.join("L"));
            }
            Some(Family::Condition) => 12.5,
            Some(Family::Composite) => 5.0,
            Some(Family::Action | Family::Other) | None => 1.5,
        };
        let round = Pixels(corner);
        let arc = |x: f64, y: f64| format!("A{round} {round} 0 0 1 {} {}", Pixels(x), Pixels(y));
        format!(
            "M{} 0.5H{}{}V{}{}H{}{}V{}{}Z",
            Pixels(0.5 + corner),
            Pixels(right - corner),
            arc(right, 0.5 + corner),
            Pixels(bottom - corner),
            arc(right - corner, bottom),
            Pixels(0.5 + corner),
            arc(0.5, bottom - corner),
            Pixels(0.5 + corner),
            arc(0.5 + corner, 0.5),
        )
    }
}
