//! Just enough of Rust's grammar to see which paths a file names.

/// A word or a mark of the code, without comments and without the content of strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

/// The tokens of a file. Words are kept whole, `::` is one token, every other mark is one character; string and
/// character literals become `"`.
pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let start = at;
        let first = chars[at];
        let next = chars.get(at + 1).copied();
        let mut literal = false;
        if first.is_whitespace() {
            at += 1;
        } else if first == '/' && next == Some('/') {
            at = (at..chars.len()).find(|&end| chars[end] == '\n').unwrap_or(chars.len());
        } else if first == '/' && next == Some('*') {
            at = block_comment_end(&chars, at);
        } else if let Some(end) = raw_string_end(&chars, at) {
            (at, literal) = (end, true);
        } else if first == '"' {
            (at, literal) = (quoted_end(&chars, at, '"'), true);
        } else if first == '\'' && is_character(&chars, at) {
            (at, literal) = (quoted_end(&chars, at, '\''), true);
        } else if is_word(first) {
            at = (at..chars.len()).find(|&end| !is_word(chars[end])).unwrap_or(chars.len());
            tokens.push(Token { text: chars[start..at].iter().collect(), line });
        } else if first == ':' && next == Some(':') {
            at += 2;
            tokens.push(Token { text: "::".into(), line });
        } else {
            at += 1;
            tokens.push(Token { text: first.to_string(), line });
        }
        if literal {
            tokens.push(Token { text: "\"".into(), line });
        }
        line += chars[start..at].iter().filter(|&&char| char == '\n').count();
    }
    tokens
}

pub fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (at, depth) = (at + 2, depth + 1),
            ('*', '/') => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

/// The end of a raw string (`r"`, `br#"`, `cr"`) that begins here.
fn raw_string_end(chars: &[char], start: usize) -> Option<usize> {
    if start > 0 && is_word(chars[start - 1]) {
        return None;
    }
    let r = match chars[start] {
        'r' => start,
        'b' | 'c' if chars.get(start + 1) == Some(&'r') => start + 1,
        _ => return None,
    };
    let quote = (r + 1..chars.len()).find(|&at| chars[at] != '#')?;
    if chars[quote] != '"' {
        return None;
    }
    let hashes = quote - r - 1;
    let closes = |at: usize| {
        chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&char| char == '#').count() == hashes
    };
    Some((quote + 1..chars.len()).find(|&at| closes(at)).map_or(chars.len(), |at| at + 1 + hashes))
}

fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// Whether a `'` begins a character rather than a lifetime.
fn is_character(chars: &[char], start: usize) -> bool {
    chars.get(start + 1) == Some(&'\\') || chars.get(start + 2) == Some(&'\'')
}

/// The place after the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

#[test]
fn comments_strings_and_characters_hide_their_content() {
    let text = "a /* b /* c */ d */ \"use e\\\"\" r#\"f\"g\"# '\\'' '{' 'life // h\n::i";
    let seen: Vec<_> = tokens(text).into_iter().map(|token| (token.text, token.line)).collect();
    let expected = [("a", 1), ("\"", 1), ("\"", 1), ("\"", 1), ("\"", 1), ("'", 1), ("life", 1)];
    let expected = expected.into_iter().chain([("::", 2), ("i", 2)]);
    assert_eq!(seen, expected.map(|(text, line)| (text.to_owned(), line)).collect::<Vec<_>>());
}
