//! Which rows of the node tree are seen.

use crate::app::view::stage::Stage;
use fire_engine::scene::{NodeRef, Scene, SceneIdentity, SceneNodeId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;

/// A scene is opened as far as about so many rows are seen.
const OPENED: usize = 30;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: SceneNodeId,
    /// How many stand above it; 0 among what was found.
    pub depth: usize,
    /// Whether it has children, and shows them.
    pub children: Option<bool>,
}

/// The nodes of a scene that are seen, one below the other. They are gathered anew only when the scene's structure, what is open
/// or what is looked for changes; no recursion, so that a tree may be as deep as it likes.
#[derive(Debug, Default)]
pub struct Tree {
    scene: Option<SceneIdentity>,
    path: Option<PathBuf>,
    structure: u64,
    /// The number that the file gives to each node.
    numbers: HashMap<SceneNodeId, u32>,
    open: HashSet<SceneNodeId>,
    /// What is looked for, in lower case.
    needle: String,
    selected: Option<SceneNodeId>,
    rows: Vec<Row>,
    stale: bool,
}

impl Tree {
    /// Takes notice of what is on show. When a file was loaded again, what was open and selected is so again.
    pub fn update(&mut self, stage: &Stage) {
        let scene = &stage.content.scene;
        if self.scene != Some(scene.identity()) {
            self.adopt(stage);
        }
        if self.stale || self.structure != scene.structure_revision() {
            (self.stale, self.structure) = (false, scene.structure_revision());
            self.gather(scene);
        }
    }

    fn adopt(&mut self, stage: &Stage) {
        let (scene, nodes) = (&stage.content.scene, &stage.content.document.nodes);
        let is_again = self.path == stage.path && !self.numbers.is_empty();
        let like = |old: &SceneNodeId| {
            let number = *self.numbers.get(old).filter(|_| is_again)?;
            nodes.get(number as usize).copied().flatten()
        };
        self.open = self.open.iter().filter_map(like).collect();
        self.selected = self.selected.as_ref().and_then(like);
        let numbered = nodes.iter().enumerate();
        self.numbers = numbered.filter_map(|(number, node)| Some(((*node)?, number as u32))).collect();
        if !is_again {
            self.open_some(scene);
        }
        (self.scene, self.path) = (Some(scene.identity()), stage.path.clone());
        self.stale = true;
    }

    /// Opens level by level, as long as few rows are seen.
    fn open_some(&mut self, scene: &Scene) {
        let mut waiting: VecDeque<NodeRef<'_>> = scene.roots().take(OPENED).collect();
        let mut seen = waiting.len();
        while let Some(node) = waiting.pop_front() {
            let children = node.children().take(OPENED + 1).count();
            if children > 0 && seen + children <= OPENED {
                seen += children;
                self.open.insert(node.id());
                waiting.extend(node.children());
            }
        }
    }

    fn gather(&mut self, scene: &Scene) {
        self.rows.clear();
        if !self.needle.is_empty() {
            let found = scene.nodes().filter(|node| node.name().to_lowercase().contains(&self.needle));
            self.rows.extend(found.map(|node| Row { node: node.id(), depth: 0, children: None }));
            return;
        }
        let mut waiting: Vec<(NodeRef<'_>, usize)> = scene.roots().map(|root| (root, 0)).collect();
        waiting.reverse();
        while let Some((node, depth)) = waiting.pop() {
            let is_open = self.open.contains(&node.id());
            let children = node.children().next().map(|_| is_open);
            self.rows.push(Row { node: node.id(), depth, children });
            if is_open {
                let first = waiting.len();
                waiting.extend(node.children().map(|child| (child, depth + 1)));
                waiting[first..].reverse();
            }
        }
    }

    /// What is seen, as of the last [`update`](Self::update).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number that the file gives to a node; `None` for one that the loader added.
    pub fn number(&self, node: SceneNodeId) -> Option<u32> {
        self.numbers.get(&node).copied()
    }

    /// Looks for nodes with this text in their name, in any case; an empty one shows the tree.
    pub fn find(&mut self, text: &str) {
        let needle = text.to_lowercase();
        self.stale |= needle != self.needle;
        self.needle = needle;
    }

    /// Whether something is looked for.
    pub fn is_finding(&self) -> bool {
        !self.needle.is_empty()
    }

    /// Opens a node, or closes it.
    pub fn toggle(&mut self, node: SceneNodeId) {
        if !self.open.remove(&node) {
            self.open.insert(node);
        }
        self.stale = true;
    }

    /// Opens everything.
    pub fn open_all(&mut self, scene: &Scene) {
        let with_children = scene.nodes().filter(|node| node.children().next().is_some());
        self.open.extend(with_children.map(|node| node.id()));
        self.stale = true;
    }

    /// Closes everything.
    pub fn close_all(&mut self) {
        self.open.clear();
        self.stale = true;
    }

    /// The selected node.
    pub fn selected(&self) -> Option<SceneNodeId> {
        self.selected
    }

    /// Selects a node; all above it are open from then on, so that the tree shows it.
    pub fn select(&mut self, scene: &Scene, node: SceneNodeId) {
        self.selected = Some(node);
        let above = std::iter::successors(scene.find(node).and_then(|node| node.parent()), NodeRef::parent);
        for node in above {
            self.stale |= self.open.insert(node.id());
        }
    }

    /// Selects nothing.
    pub fn deselect(&mut self) {
        self.selected = None;
    }

    /// Where in the rows the selected node stands.
    pub fn selected_row(&self) -> Option<usize> {
        let selected = self.selected?;
        self.rows.iter().position(|row| row.node == selected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::stage;
    use fire_engine::scene::Content;

    fn named(stage: &Stage, name: &str) -> SceneNodeId {
        stage.content.scene.nodes().find(|node| node.name() == name).unwrap().id()
    }

    fn seen(tree: &Tree, stage: &Stage) -> Vec<(String, usize)> {
        let name = |row: &Row| stage.content.scene.find(row.node).unwrap().name().to_owned();
        tree.rows().iter().map(|row| (name(row), row.depth)).collect()
    }

    /// `count` nodes below one, each with a child.
    fn broad(count: usize) -> Stage {
        let mut content = Content::default();
        let top = content.scene.add_root("top").unwrap();
        content.document.nodes.push(Some(top));
        for number in 0..count {
            let node = content.scene.add_child(top, &format!("Arm {number}")).unwrap();
            let child = content.scene.add_child(node, &format!("hand {number}")).unwrap();
            content.document.nodes.extend([Some(node), Some(child)]);
        }
        stage(content)
    }

    #[test]
    fn small_scenes_are_opened_in_full_and_large_ones_as_far_as_they_fit() {
        let mut tree = Tree::default();
        let mut rows = |stage: Stage, file: &str| {
            tree.update(&Stage { path: Some(file.into()), ..stage });
            tree.rows().len()
        };
        assert_eq!(rows(broad(2), "a.glb"), 5);
        let some = rows(broad(20), "b.glb");
        assert!(some > 20 && some <= OPENED, "{some}");
        assert_eq!(rows(broad(1000), "c.glb"), 1);
        assert_eq!(rows(stage(Content::default()), "d.glb"), 0);
    }

    #[test]
    fn rows_follow_the_tree_and_what_is_open() {
        let stage = broad(2);
        let mut tree = Tree::default();
        tree.update(&stage);
        let row = |name: &str, depth| (name.to_owned(), depth);
        let all = [row("top", 0), row("Arm 0", 1), row("hand 0", 2), row("Arm 1", 1), row("hand 1", 2)];
        assert_eq!(seen(&tree, &stage), all);
        tree.toggle(named(&stage, "Arm 0"));
        tree.update(&stage);
        assert_eq!(seen(&tree, &stage), [&all[..2], &all[3..]].concat());
        tree.select(&stage.content.scene, named(&stage, "hand 0"));
        tree.update(&stage);
        assert_eq!((seen(&tree, &stage).as_slice(), tree.selected_row()), (&all[..], Some(2)));
        tree.close_all();
        tree.update(&stage);
        assert_eq!((tree.rows().len(), tree.rows()[0].children, tree.selected_row()), (1, Some(false), None));
        tree.open_all(&stage.content.scene);
        tree.update(&stage);
        assert_eq!(seen(&tree, &stage), all);
    }

    #[test]
    fn what_is_looked_for_is_found_in_any_case_without_opening() {
        let stage = broad(1000);
        let mut tree = Tree::default();
        tree.find("aRM 99");
        tree.update(&stage);
        assert_eq!(tree.rows().len(), 11, "99 and 990 to 999");
        assert!(tree.is_finding() && tree.rows().iter().all(|row| row.depth == 0));
        tree.find("no such");
        tree.update(&stage);
        assert_eq!(tree.rows().len(), 0);
    }

    #[test]
    fn nothing_is_gathered_again_while_nothing_changes() {
        let stage = broad(2);
        let mut tree = Tree::default();
        tree.update(&stage);
        tree.rows.clear();
        tree.update(&stage);
        tree.find("");
        tree.update(&stage);
        assert!(tree.rows().is_empty());
        tree.find("x");
        tree.find("");
        tree.update(&stage);
        assert_eq!(tree.rows().len(), 5);
    }

    #[test]
    fn a_file_that_is_loaded_again_stays_open_where_it_was() {
        let (old, new) = (broad(1000), broad(1001));
        let mut tree = Tree::default();
        tree.update(&old);
        tree.select(&old.content.scene, named(&old, "hand 7"));
        tree.update(&old);
        assert_eq!(tree.rows().len(), 1002);
        tree.update(&new);
        assert_eq!((tree.selected(), tree.rows().len()), (Some(named(&new, "hand 7")), 1003));
        let mut other = broad(1000);
        other.path = Some("other.glb".into());
        tree.update(&other);
        assert_eq!((tree.selected(), tree.rows().len()), (None, 1));
    }

    #[test]
    fn chains_of_250_000_nodes_are_only_long() {
        let mut content = Content::default();
        let mut node = content.scene.add_root("0").unwrap();
        for _ in 1..250_000 {
            node = content.scene.add_child(node, "").unwrap();
        }
        let stage = stage(content);
        let mut tree = Tree::default();
        tree.select(&stage.content.scene, node);
        tree.update(&stage);
        tree.select(&stage.content.scene, node);
        tree.update(&stage);
        assert_eq!((tree.rows().len(), tree.selected_row()), (250_000, Some(249_999)));
        assert_eq!(tree.rows()[249_999].depth, 249_999);
    }
}
