//! The style: colours, fonts, and the looks of kernels.

use pleach_draw::{Attribute, COLOURS, Canvas, Pixels, VERMILION};

use super::super::crossover::CHALLENGER;

/// Of panels and lines, beside the style of all pictures.
pub(super) const STYLE: &str = "\
.tree { font-size: 14px; font-weight: 600; } \
.data { font-size: 12.5px; font-weight: 600; } \
.range { stroke-width: 1; opacity: 0.45; fill: none; } \
.cross { stroke: #57606a; stroke-dasharray: 3 3; fill: none; } \
.ring { stroke: #24292f; stroke-width: 1.5; fill: none; } \
.verdict { font-size: 11.5px; font-weight: 600; stroke: #ffffff; stroke-width: 3; paint-order: stroke; }";

/// Of the kernel that is compared with all others.
const CHALLENGING: &str = VERMILION;

/// How a kernel's line looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mark {
    Circle,
    Square,
    Diamond,
    Triangle,
}

impl Look {
    /// A look for each kernel.
    pub(super) fn of_kernels(kernels: Vec<&str>) -> Vec<(&str, Look)> {
        const MARKS: [Mark; 3] = [Mark::Circle, Mark::Square, Mark::Diamond];
        let mut others = 0;
        let look = |kernel| {
            if kernel == CHALLENGER {
                return Look {
                    colour: CHALLENGING,
                    width: 2.4,
                    mark: Mark::Triangle,
                };
            }
            let index = others;
            others += 1;
            Look {
                colour: COLOURS[index % COLOURS.len()],
                width: 1.6,
                mark: MARKS[index % MARKS.len()],
            }
        };
        let looks: Vec<Look> = kernels.iter().copied().map(look).collect();
        kernels.into_iter().zip(looks).collect()
    }

    /// A short piece of the line, for a legend.
    pub(super) fn sample(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let piece = format!("M{} {}h32", Pixels(x), Pixels(y));
        canvas.empty(
            "path",
            &[
                ("class", &"line"),
                ("stroke", &self.colour),
                ("stroke-width", &self.width),
                ("d", &piece),
            ],
        );
        self.mark(canvas, x + 16.0, y, None);
    }

    /// A mark with an explanation.
    pub(super) fn mark(&self, canvas: &mut Canvas, x: f64, y: f64, title: Option<&str>) {
        let shape = match self.mark {
            Mark::Circle => format!(
                "M{} {}a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0z",
                Pixels(x - 2.8),
                Pixels(y)
            ),
            Mark::Square => format!("M{} {}h5v5h-5z", Pixels(x - 2.5), Pixels(y - 2.5)),
            Mark::Diamond => format!(
                "M{} {}l3.4 3.4l-3.4 3.4l-3.4 -3.4z",
                Pixels(x),
                Pixels(y - 3.4)
            ),
            Mark::Triangle => format!("M{} {}l3.6 6.2h-7.2z", Pixels(x), Pixels(y - 4.0)),
        };
        let attributes: &[Attribute<'_>] = &[("fill", &self.colour), ("d", &shape)];
        match title {
            None => canvas.empty("path", attributes),
            Some(title) => {
                canvas.open("path", attributes);
                canvas.text("title", &[], title);
                canvas.close();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_look_different() {
        let looks = Look::of_kernels(vec!["a", "b", "c", "lanes", "d"]);
        for (index, (_, look)) in looks.iter().enumerate() {
            assert!(looks[..index].iter().all(|(_, other)| other != look));
        }
        assert_eq!(looks[3].1.colour, CHALLENGING);
        // More than there are colours is no error.
        assert_eq!(Look::of_kernels(vec!["x"; 20]).len(), 20);
    }
}
