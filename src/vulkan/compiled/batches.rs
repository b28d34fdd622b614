//! Draws grouped into few indirect commands: the part of batching that needs no driver.

use super::layout::{DrawCommand, TableEntry};
use crate::math::Vec3;
use crate::scene::DrawItem;

/// What has to be bound for a draw. Ordered, so that equal states lie together after sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DrawState {
    pub(crate) pipeline: u32,
    pub(crate) double_sided: bool,
    pub(crate) vertex_block: u32,
    pub(crate) index_block: u32,
    pub(crate) texture_set: u32,
}

/// A render object as compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ObjectDraw {
    pub(crate) state: DrawState,
    pub(crate) mesh: u32,
    pub(crate) index_count: u32,
    pub(crate) first_index: u32,
    pub(crate) vertex_offset: i32,
    pub(crate) material: u32,
    /// Of its bounding box, in object space: where a transparent draw counts as being.
    pub(crate) center: Vec3,
    pub(crate) blend: bool,
}

/// Consecutive commands that share state and winding: one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) state: DrawState,
    /// Whether front faces wind clockwise, because an odd number of transforms mirrors.
    pub(crate) mirrored: bool,
    pub(crate) first_command: u32,
    pub(crate) command_count: u32,
}

/// A transparent draw, to be sorted by depth each frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlendDraw {
    pub(crate) draw: ObjectDraw,
    pub(crate) world: u32,
}

/// Draws of one mesh and state: `entries[start..end]`.
#[derive(Debug, Clone, Copy)]
struct Batch {
    draw: ObjectDraw,
    start: usize,
    end: usize,
}

/// Opaque and masked draws as commands over a table, and the transparent ones apart.
///
/// Rebuilding keeps every buffer's capacity, so a scene of steady size allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    sorted: Vec<(ObjectDraw, u32)>,
    batches: Vec<Batch>,
    /// (world, material) of each instance in batch order, before mirrored ones are moved to their batch's end.
    entries: Vec<TableEntry>,
    pub(crate) table: Vec<TableEntry>,
    pub(crate) commands: Vec<DrawCommand>,
    pub(crate) runs: Vec<Run>,
    pub(crate) blended: Vec<BlendDraw>,
}

impl Batches {
    /// Groups the draws; needed when the structure or the compiled objects change. [`sort_mirrored`](Self::sort_mirrored)
    /// has to follow.
    ///
    /// Every item's render object is compiled, by `objects[id]`; others are left out.
    pub(crate) fn group(&mut self, items: &[DrawItem], objects: &[Option<ObjectDraw>]) {
        self.sorted.clear();
        self.blended.clear();
        for item in items {
            let Some(Some(draw)) = objects.get(item.render_object.index()) else { continue };
            if draw.blend {
                self.blended.push(BlendDraw { draw: *draw, world: item.world });
            } else {
                self.sorted.push((*draw, item.world));
            }
        }
        // Stable: instances of one batch keep the list's order.
        self.sorted.sort_by_key(|(draw, _)| (draw.state, draw.mesh));
        self.batches.clear();
        self.entries.clear();
        for (index, (draw, world)) in self.sorted.iter().enumerate() {
            self.entries.push(TableEntry { world: *world, material: draw.material });
            match self.batches.last_mut() {
                Some(batch) if (batch.draw.state, batch.draw.mesh) == (draw.state, draw.mesh) => {
                    batch.end = index + 1
                }
                _ => self.batches.push(Batch { draw: *draw, start: index, end: index + 1 }),
            }
        }
    }

    /// Writes table, commands and runs; needed after grouping, and when the sign of some determinant changed.
    ///
    /// Within a batch the instances that mirror come last and form a second command, drawn with the other front face.
    pub(crate) fn sort_mirrored(&mut self, mirrored: &[bool]) {
        self.table.clear();
        self.commands.clear();
        self.runs.clear();
        let mut rest = &self.batches[..];
        while let Some(first) = rest.first() {
            let state = first.draw.state;
            let length = rest.iter().take_while(|batch| batch.draw.state == state).count();
            let (same_state, after) = rest.split_at(length);
            rest = after;
            for wanted in [false, true] {
                let first_command = self.commands.len();
                for batch in same_state {
                    let first_instance = self.table.len();
                    let entries = &self.entries[batch.start..batch.end];
                    self.table
                        .extend(entries.iter().filter(|entry| is_mirrored(mirrored, entry.world) == wanted));
                    let count = self.table.len() - first_instance;
                    if count > 0 {
                        self.commands.push(command(&batch.draw, first_instance as u32, count as u32));
                    }
                }
                let command_count = (self.commands.len() - first_command) as u32;
                if command_count > 0 {
                    let first_command = first_command as u32;
                    self.runs.push(Run { state, mirrored: wanted, first_command, command_count });
                }
            }
        }
    }

    /// Number of instances of all kinds: what the table of a frame has to hold.
    pub(crate) fn instance_count(&self) -> usize {
        self.entries.len() + self.blended.len()
    }
}

pub(crate) fn is_mirrored(mirrored: &[bool], world: u32) -> bool {
    mirrored.get(world as usize).copied().unwrap_or(false)
}

fn command(draw: &ObjectDraw, first_instance: u32, instance_count: u32) -> DrawCommand {
    DrawCommand {
        index_count: draw.index_count,
        instance_count,
        first_index: draw.first_index,
        vertex_offset: draw.vertex_offset,
        first_instance,
    }
}

/// The transparent draws of one frame, farthest first.
///
/// They follow the opaque ones in the frame's table and commands, so positions start at `base_instance` and
/// `base_command`.
#[derive(Debug, Default)]
pub(crate) struct BlendOrder {
    order: Vec<(f32, u32)>,
    pub(crate) table: Vec<TableEntry>,
    pub(crate) commands: Vec<DrawCommand>,
    pub(crate) runs: Vec<Run>,
}

impl BlendOrder {
    /// Sorts by depth, the distance along the view (larger is farther); equal depths keep the list's order.
    /// Neighbors of one mesh, state and winding become one command.
    pub(crate) fn sort(
        &mut self,
        blended: &[BlendDraw],
        mirrored: &[bool],
        (base_instance, base_command): (u32, u32),
        depth: impl Fn(&BlendDraw) -> f32,
    ) {
        self.order.clear();
        // Adding zero makes -0.0 equal to 0.0 in the total order.
        self.order.extend((0..).zip(blended).map(|(index, draw)| (depth(draw) + 0.0, index)));
        self.order.sort_unstable_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        self.table.clear();
        self.commands.clear();
        self.runs.clear();
        let mut previous: Option<(ObjectDraw, bool)> = None;
        for &(_, index) in &self.order {
            let BlendDraw { draw, world } = blended[index as usize];
            let flipped = is_mirrored(mirrored, world);
            let instance = base_instance + self.table.len() as u32;
            self.table.push(TableEntry { world, material: draw.material });
            let same_state = previous.is_some_and(|(p, f)| (p.state, f) == (draw.state, flipped));
            let same_mesh = same_state && previous.is_some_and(|(p, _)| p.mesh == draw.mesh);
            previous = Some((draw, flipped));
            if same_mesh && let Some(last) = self.commands.last_mut() {
                last.instance_count += 1;
                continue;
            }
            self.commands.push(command(&draw, instance, 1));
            match self.runs.last_mut() {
                Some(run) if same_state => run.command_count += 1,
                _ => self.runs.push(Run {
                    state: draw.state,
                    mirrored: flipped,
                    first_command: base_command + self.commands.len() as u32 - 1,
                    command_count: 1,
                }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::RenderObjectId;
    use crate::scene::Span;

    fn object(pipeline: u32, texture_set: u32, mesh: u32, material: u32) -> ObjectDraw {
        ObjectDraw {
            state: DrawState { pipeline, double_sided: false, vertex_block: 0, index_block: 0, texture_set },
            mesh,
            index_count: 36,
            first_index: mesh * 36,
            vertex_offset: mesh as i32 * 24,
            material,
            center: Vec3::ZERO,
            blend: false,
        }
    }

    fn items(objects: &[u32]) -> Vec<DrawItem> {
        let item = |(world, &object)| DrawItem {
            render_object: RenderObjectId::new(object),
            world,
            joints: Span::default(),
            weights: Span::default(),
        };
        (0..).zip(objects).map(item).collect()
    }

    fn batched(drawn: &[u32], objects: &[ObjectDraw], mirrored: &[bool]) -> Batches {
        let mut batches = Batches::default();
        let objects: Vec<_> = objects.iter().copied().map(Some).collect();
        batches.group(&items(drawn), &objects);
        batches.sort_mirrored(mirrored);
        batches
    }

    #[test]
    fn ten_thousand_equal_draws_are_one_command() {
        let batches = batched(&[0; 10_000], &[object(0, 0, 0, 0)], &[]);
        assert_eq!((batches.commands.len(), batches.runs.len()), (1, 1));
        assert_eq!(batches.commands[0].instance_count, 10_000);
        assert!(batches.table.iter().zip(0..).all(|(entry, world)| entry.world == world));
    }

    #[test]
    fn materials_that_differ_only_in_factors_share_a_command() {
        let batches = batched(&[0, 1, 0], &[object(0, 0, 0, 0), object(0, 0, 0, 1)], &[]);
        assert_eq!(batches.commands.len(), 1);
        let materials: Vec<_> = batches.table.iter().map(|entry| entry.material).collect();
        assert_eq!(materials, [0, 1, 0]);
    }

    #[test]
    fn meshes_of_one_state_share_a_run() {
        let batches = batched(&[1, 0, 1], &[object(0, 0, 0, 0), object(0, 0, 1, 0)], &[]);
        assert_eq!((batches.commands.len(), batches.runs.len()), (2, 1));
        assert_eq!(batches.commands[1].first_instance, 1);
        assert_eq!(batches.commands[1].instance_count, 2);
        assert_eq!(batches.runs[0].command_count, 2);
    }

    #[test]
    fn mirrored_instances_form_a_second_command_and_change_nothing_else() {
        let objects = [object(0, 0, 0, 0)];
        let batches = batched(&[0; 4], &objects, &[false, true, false, true]);
        let worlds: Vec<_> = batches.table.iter().map(|entry| entry.world).collect();
        assert_eq!(worlds, [0, 2, 1, 3]);
        assert_eq!(batches.runs.iter().map(|run| run.mirrored).collect::<Vec<_>>(), [false, true]);
        assert_eq!(batches.commands[1].first_instance, 2);
        let all = batched(&[0; 4], &objects, &[true; 4]);
        assert_eq!((all.runs.len(), all.runs[0].mirrored), (1, true));
    }

    #[test]
    fn different_textures_are_different_runs() {
        let batches = batched(&[0, 1, 0], &[object(0, 1, 0, 0), object(0, 0, 0, 1)], &[]);
        assert_eq!(batches.runs.len(), 2);
        assert_eq!(batches.runs[0].state.texture_set, 0);
        assert_eq!(batches.commands[1].instance_count, 2);
    }

    #[test]
    fn an_empty_list_has_no_command() {
        let batches = batched(&[], &[], &[]);
        assert_eq!((batches.commands.len(), batches.runs.len(), batches.instance_count()), (0, 0, 0));
    }

    #[test]
    fn transparent_draws_sort_farthest_first_with_ties_in_list_order_and_merge() {
        let mut glass = [object(0, 0, 0, 0), object(0, 1, 0, 1)];
        glass.iter_mut().for_each(|draw| draw.blend = true);
        let batches = batched(&[0, 1, 0, 0], &glass, &[]);
        assert_eq!((batches.commands.len(), batches.blended.len()), (0, 4));
        let depths = [5.0, 1.0, 9.0, 5.0];
        let mut order = BlendOrder::default();
        order.sort(&batches.blended, &[], (10, 20), |draw| depths[draw.world as usize]);
        let worlds: Vec<_> = order.table.iter().map(|entry| entry.world).collect();
        assert_eq!(worlds, [2, 0, 3, 1]);
        assert_eq!(order.commands.len(), 2);
        assert_eq!((order.commands[0].first_instance, order.commands[0].instance_count), (10, 3));
        assert_eq!((order.runs[1].first_command, order.runs[1].command_count), (21, 1));
    }

    #[test]
    fn not_a_number_depths_do_not_upset_the_order() {
        let mut draw = object(0, 0, 0, 0);
        draw.blend = true;
        let batches = batched(&[0, 0, 0], &[draw], &[]);
        let mut order = BlendOrder::default();
        order.sort(&batches.blended, &[], (0, 0), |draw| match draw.world {
            1 => f32::NAN,
            other => other as f32,
        });
        assert_eq!(order.table.len(), 3);
    }
}
