//! Signs of nodes: what family a node is of, and its icon, as a text and as strokes.

/// What a node is among others; each family has a colour and a form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Decides which of several children run.
    Composite,
    /// Changes when its child runs, or what it answers.
    Decorator,
    /// Asks something.
    Condition,
    /// Does something.
    Action,
    /// Answers the same whatever happens, or waits.
    Other,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 5] = [
        Family::Composite,
        Family::Decorator,
        Family::Condition,
        Family::Action,
        Family::Other,
    ];

    /// What a member is called; a word that is a class in styles as well.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Composite => "composite",
            Family::Decorator => "decorator",
            Family::Condition => "condition",
            Family::Action => "action",
            Family::Other => "other",
        }
    }
}

/// One stroke or two of an icon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Glyph {
    Arrow,
    Arrows,
    Assign,
    Bar,
    Check,
    Circle,
    Clock,
    Cross,
    Dash,
    Diamond,
    Fork,
    Function,
    Not,
    Once,
    Play,
    Question,
    Again,
    Wave,
}

impl Glyph {
    /// As a character, or two.
    const fn text(self) -> &'static str {
        match self {
            Glyph::Arrow => "→",
            Glyph::Arrows => "⇉",
            Glyph::Assign => "≔",
            Glyph::Bar => "|",
            Glyph::Check => "✓",
            Glyph::Circle => "○",
            Glyph::Clock => "◷",
            Glyph::Cross => "✗",
            Glyph::Dash => "–",
            Glyph::Diamond => "◇",
            Glyph::Fork => "⋔",
            Glyph::Function => "ƒ",
            Glyph::Not => "¬",
            Glyph::Once => "1",
            Glyph::Play => "▸",
            Glyph::Question => "?",
            Glyph::Again => "↺",
            Glyph::Wave => "~",
        }
    }

    /// How wide it is drawn, in pixels; all are 12 high.
    pub(crate) const fn width(self) -> f64 {
        match self {
            Glyph::Bar => 4.0,
            Glyph::Question | Glyph::Once | Glyph::Function => 8.0,
            Glyph::Play | Glyph::Wave | Glyph::Diamond | Glyph::Not => 10.0,
            _ => 12.0,
        }
    }

    /// The strokes, from the upper left corner: fonts have not all of these characters.
    pub(crate) const fn strokes(self) -> &'static str {
        match self {
            Glyph::Arrow => "M1 6H11M7.5 2.5L11 6L7.5 9.5",
            Glyph::Arrows => "M1 3H11M9 1L11 3L9 5M1 9H11M9 7L11 9L9 11",
            Glyph::Assign => "M2 4V4.1M2 8V8.1M5.5 4.5H11M5.5 7.5H11",
            Glyph::Bar => "M1.5 1.5V10.5",
            Glyph::Check => "M1.5 6.5L4.5 9.5L10.5 2.5",
            Glyph::Circle => "M1.5 6A4.5 4.5 0 1 1 10.5 6A4.5 4.5 0 1 1 1.5 6",
            Glyph::Clock => "M1 6A5 5 0 1 1 11 6A5 5 0 1 1 1 6M6 3V6L8 7.5",
            Glyph::Cross => "M2 2L10 10M10 2L2 10",
            Glyph::Dash => "M2 6H10",
            Glyph::Diamond => "M5 1L9.5 6L5 11L0.5 6Z",
            Glyph::Fork => "M1 6H4.5M4.5 6C7 6 7 2.5 11 2.5M4.5 6C7 6 7 9.5 11 9.5",
            Glyph::Function => "M7 1.5C4.5 1 4.5 2.5 4.2 5L3.6 9C3.4 10.5 2.8 11 1 10.5M1.8 5H6.2",
            Glyph::Not => "M1 4.5H9V8",
            Glyph::Once => "M2 3.5L4.5 1.5V10.5",
            Glyph::Play => "M2 2L8.5 6L2 10Z",
            Glyph::Question => "M1.5 3.5C1.5 0.5 6.5 0.5 6.5 3.5C6.5 5.5 4 5.2 4 7.6M4 10.4V10.5",
            Glyph::Again => "M3.2 2.6A4.5 4.5 0 1 0 6.5 1.5M3.4 0.6L3 2.9L5.3 3.4",
            Glyph::Wave => "M1 7.5C2.5 3.5 4.5 4.5 5 6C5.5 7.5 7.5 8.5 9 4.5",
        }
    }
}

/// The sign of a kind of node: the symbols that the field knows, and some of the same making. A bar says
/// that the node looks anew in each tick, a wave that it draws lots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Icon {
    family: Family,
    glyphs: &'static [Glyph],
}

impl Icon {
    pub(crate) const fn new(family: Family, glyphs: &'static [Glyph]) -> Icon {
        Icon { family, glyphs }
    }

    /// What family the node is of.
    pub const fn family(self) -> Family {
        self.family
    }

    /// The icon in one to three characters: `→`, `|?`.
    pub fn text(self) -> String {
        self.glyphs.iter().map(|glyph| glyph.text()).collect()
    }

    pub(crate) const fn glyphs(self) -> &'static [Glyph] {
        self.glyphs
    }

    /// How wide it is drawn, in pixels.
    pub(crate) fn width(self) -> f64 {
        let gaps = self.glyphs.len().saturating_sub(1) as f64 * 2.0;
        self.glyphs.iter().map(|glyph| glyph.width()).sum::<f64>() + gaps
    }
}
