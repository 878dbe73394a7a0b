//! Colours, for light and dark paper.

use super::icon::Family;

/// What a picture is looked at on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// Whatever whoever looks at it prefers. Only an SVG can ask; others are light.
    #[default]
    Auto,
    /// Light paper.
    Light,
    /// Dark paper.
    Dark,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of that name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// Its colours, where nobody can be asked.
    pub(crate) const fn palette(self) -> &'static Palette {
        match self {
            Theme::Auto | Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

/// The colours of a theme.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) paper: &'static str,
    pub(crate) rim: &'static str,
    pub(crate) text: &'static str,
    pub(crate) quiet: &'static str,
    pub(crate) line: &'static str,
    composite: Paint,
    decorator: Paint,
    condition: Paint,
    action: Paint,
    other: Paint,
    pub(crate) folded: Paint,
}

/// The colours of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) fill: &'static str,
    pub(crate) stroke: &'static str,
}

impl Palette {
    pub(crate) const fn of(&self, family: Family) -> Paint {
        match family {
            Family::Composite => self.composite,
            Family::Decorator => self.decorator,
            Family::Condition => self.condition,
            Family::Action => self.action,
            Family::Other => self.other,
        }
    }
}

const LIGHT: Palette = Palette {
    paper: "#fbfbf9",
    rim: "#d0d7de",
    text: "#1f2328",
    quiet: "#57606a",
    line: "#8c959f",
    composite: Paint {
        fill: "#ddf0ff",
        stroke: "#0969da",
    },
    decorator: Paint {
        fill: "#f5ecff",
        stroke: "#8250df",
    },
    condition: Paint {
        fill: "#fff4cf",
        stroke: "#9a6700",
    },
    action: Paint {
        fill: "#dcf7e3",
        stroke: "#1a7f37",
    },
    other: Paint {
        fill: "#f0f2f4",
        stroke: "#6e7781",
    },
    folded: Paint {
        fill: "#fbfbf9",
        stroke: "#8c959f",
    },
};

const DARK: Palette = Palette {
    paper: "#0d1117",
    rim: "#30363d",
    text: "#e6edf3",
    quiet: "#9ba5b0",
    line: "#6e7681",
    composite: Paint {
        fill: "#0f2a4d",
        stroke: "#58a6ff",
    },
    decorator: Paint {
        fill: "#2d2150",
        stroke: "#bc8cff",
    },
    condition: Paint {
        fill: "#3a2a05",
        stroke: "#e3b341",
    },
    action: Paint {
        fill: "#10351f",
        stroke: "#56d364",
    },
    other: Paint {
        fill: "#21262d",
        stroke: "#8b949e",
    },
    folded: Paint {
        fill: "#0d1117",
        stroke: "#6e7681",
    },
};
