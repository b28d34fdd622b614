//! The paths that a file names, with `crate`, `self` and `super` resolved.

use super::tokens::{Token, closing, is_word};

/// A path as written in the code of one module, made absolute where it begins with `crate`, `self` or `super`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub segments: Vec<String>,
    pub line: usize,
    /// The name under which a `use` brings it in.
    pub alias: Option<String>,
}

/// The tokens without the modules that only tests have.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if texts(&tokens[at..], &["#", "[", "cfg", "(", "test", ")", "]", "mod"])
            && tokens.get(at + 9).is_some_and(|token| token.text == "{")
        {
            at = closing(tokens, at + 9);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

fn texts(tokens: &[Token], expected: &[&str]) -> bool {
    tokens.len() >= expected.len() && tokens.iter().zip(expected).all(|(token, text)| token.text == *text)
}

/// Every path of two segments or more, and every `use`, in the code of `module` (such as `["scene", "arena"]`).
pub fn paths(tokens: &[Token], module: &[String]) -> Vec<Named> {
    let mut found = Vec::new();
    let mut inner: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let text = tokens[at].text.as_str();
        inner.retain(|(end, _)| at < *end);
        let here: Vec<String> = module.iter().chain(inner.iter().map(|(_, name)| name)).cloned().collect();
        if text == "mod" && tokens.get(at + 2).is_some_and(|token| token.text == "{") {
            inner.push((closing(tokens, at + 2), tokens[at + 1].text.clone()));
            at += 3;
        } else if text == "use" && !texts(&tokens[at..], &["use", "<"]) {
            let mut tree = Vec::new();
            at = use_tree(tokens, at + 1, &[], &mut tree);
            found.extend(tree.into_iter().map(|named| absolute(named, &here)));
        } else if text.starts_with(is_word) {
            let mut segments = vec![text.to_owned()];
            let line = tokens[at].line;
            at += 1;
            while texts(&tokens[at..], &["::"]) && word(tokens, at + 1) {
                segments.push(tokens[at + 1].text.clone());
                at += 2;
            }
            if segments.len() > 1 {
                found.push(absolute(Named { segments, line, alias: None }, &here));
            }
        } else {
            at += 1;
        }
    }
    found
}

fn word(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.text.starts_with(is_word))
}

/// Reads a `use` tree that begins at `at`, and gives the place after it.
fn use_tree(tokens: &[Token], mut at: usize, prefix: &[String], found: &mut Vec<Named>) -> usize {
    let mut segments = prefix.to_vec();
    let mut alias = None;
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "::" => at += 1,
            "{" => {
                let end = closing(tokens, at);
                at += 1;
                while at < end - 1 {
                    at = use_tree(tokens, at, &segments, found);
                    at += usize::from(tokens[at].text == ",");
                }
                return end;
            }
            "as" => {
                alias = Some(tokens[at + 1].text.clone());
                at += 2;
            }
            "," | "}" | ";" => break,
            "self" if !segments.is_empty() => at += 1,
            text => {
                segments.push(text.to_owned());
                at += 1;
            }
        }
    }
    let line = tokens[at.min(tokens.len() - 1)].line;
    let alias = alias.or_else(|| segments.last().cloned());
    found.push(Named { segments, line, alias });
    at
}

fn absolute(mut named: Named, module: &[String]) -> Named {
    let mut base = module.to_vec();
    let mut rest = named.segments.as_slice();
    let mut relative = false;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        (rest, relative) = (after, true);
    }
    if relative {
        base.insert(0, "crate".into());
        base.extend_from_slice(rest);
        named.segments = base;
    }
    named
}

#[test]
fn use_trees_and_inline_paths_become_absolute() {
    // What an opaque type captures is no import.
    let code = "use super::{a::B, c::{self, D as E}}; mod inner { use super::F; } fn g() { crate::h::i(); std::mem::swap(); }
                fn j<'a>() -> impl K + use<'a> { l(m, n); o(); }
                #[cfg(test)] mod tests { use super::*; }";
    let module = ["room".to_owned(), "file".to_owned()];
    let named = paths(&without_tests(&super::tokens::tokens(code)), &module);
    let seen: Vec<String> = named.iter().map(|named| named.segments.join("::")).collect();
    let expected = [
        "crate::room::a::B",
        "crate::room::c",
        "crate::room::c::D",
        "crate::room::file::F",
        "crate::h::i",
        "std::mem::swap",
    ];
    assert_eq!(seen, expected);
    assert_eq!(named[2].alias.as_deref(), Some("E"));
}
