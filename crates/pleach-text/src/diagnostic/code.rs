//! The codes under which errors and warnings are explained.

use std::fmt;

use pleach_tree::ProblemKind;

use super::Severity;

/// What kind of mistake a diagnostic is about: `P0101`. [`page`](crate::explain::page) explains it.
///
/// Numbers are never given to another mistake. Those from 1000 on are warnings, those from 2000
/// on notes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // Each has a page.
pub enum Code {
    // The text and its files.
    Grammar = 1,
    Text = 2,
    Number = 3,
    Keyword = 4,
    Encoding = 5,
    Limit = 6,
    File = 7,
    Include = 8,
    NoTree = 9,
    OutsideTree = 10,
    Json = 11,
    Edit = 12,
    Internal = 13,

    // Nodes.
    UnknownNode = 101,
    UnknownProperty = 102,
    ExtraArgument = 103,
    MissingArgument = 104,
    GivenTwice = 105,
    WrongValue = 106,
    Annotation = 107,
    OutOfRange = 108,
    LeafWithChildren = 109,
    Children = 110,
    Root = 111,
    Blocks = 112,
    Branches = 113,
    Case = 114,
    Threshold = 115,

    // Names and types.
    DeclaredTwice = 201,
    BadName = 202,
    UnknownType = 203,
    UnknownName = 204,
    Enumeration = 205,
    SetTarget = 206,
    ColumnOrWorld = 207,

    // Expressions.
    ExpressionSyntax = 301,
    ExpressionTypes = 302,
    Function = 303,

    // Subtrees and parameters.
    UnknownTree = 401,
    TreeTwice = 402,
    Cycle = 403,
    UnknownParameter = 404,
    MissingParameter = 405,
    ParameterType = 406,
    UnreadParameter = 407,
    Map = 408,
    Conflict = 409,
    CannotRun = 410,

    // Scenarios.
    Scenario = 501,

    // Files of BehaviorTree.CPP.
    Xml = 601,
    XmlRoot = 602,
    XmlId = 603,
    XmlParent = 604,
    XmlChildren = 605,
    MissingPort = 606,
    PortValue = 607,
    Script = 608,
    ScriptMeaning = 609,
    EntryType = 610,
    KdlAttribute = 611,
    OwnNodes = 612,
    XmlName = 613,

    // Warnings.
    Unreachable = 1001,
    EndlessLoop = 1002,
    CutShort = 1003,
    ConstantTest = 1004,
    UnusedName = 1005,
    UnusedTree = 1006,
    ComparisonInScript = 1007,
    Misspelled = 1008,

    // Notes on files of BehaviorTree.CPP.
    Differs = 2001,
    TakenFor = 2002,
    NotKept = 2003,
    UnusedPort = 2004,
    Unwritten = 2005,
    GuessedType = 2006,
    UnsetText = 2007,
    OtherLabel = 2008,
    HostEntry = 2009,
}

impl Code {
    /// Its number, the digits behind the `P`.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Whether it is about errors, warnings or notes.
    pub const fn severity(self) -> Severity {
        match self.number() {
            2000.. => Severity::Note,
            1000.. => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The code that is written so; `None` if there is none. `p101` is accepted for `P0101`.
    pub fn from_name(name: &str) -> Option<Code> {
        if !Code::is_name(name) {
            return None;
        }
        let number: u16 = name.get(1..)?.parse().ok()?;
        let mut pages = crate::explain::pages();
        let page = pages.find(|page| page.code.number() == number)?;
        Some(page.code)
    }

    /// Whether a word has the form of a code, be there one or not: a `P` and digits.
    pub fn is_name(word: &str) -> bool {
        let digits = word.strip_prefix(['P', 'p']).unwrap_or("");
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// The code of a problem that the compiler found.
    pub(crate) fn of(kind: ProblemKind) -> Code {
        match kind {
            ProblemKind::BadName => Code::BadName,
            ProblemKind::Twice => Code::GivenTwice,
            ProblemKind::Limit => Code::Limit,
            ProblemKind::OutOfRange => Code::OutOfRange,
            ProblemKind::Children => Code::Children,
            ProblemKind::StrayParameter => Code::UnknownProperty,
            ProblemKind::UnknownName => Code::UnknownName,
            ProblemKind::Threshold => Code::Threshold,
            ProblemKind::Branches => Code::Branches,
            ProblemKind::Case => Code::Case,
            ProblemKind::Enumeration => Code::Enumeration,
            ProblemKind::SetTarget => Code::SetTarget,
            ProblemKind::Syntax => Code::ExpressionSyntax,
            ProblemKind::Function => Code::Function,
            ProblemKind::Types => Code::ExpressionTypes,
            // A check that is not told apart would be one that the compiler lacks.
            _ => Code::Internal,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{:04}", self.number())
    }
}
