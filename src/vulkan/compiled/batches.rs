//! Draws grouped into few indirect commands: the part of batching that needs no driver.

use super::facing::{Facing, Instance, Mirrors};
use super::layout::{DrawCommand, FrameLayout, SKINNED, TableEntry};
use super::morphs::Morphs;
use crate::math::Vec3;
use crate::scene::{DrawItem, Span};
use crate::vulkan::error::RendererError;

/// What has to be bound for a draw. Ordered, so that equal states lie together after sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DrawState {
    pub(crate) pipeline: u32,
    pub(crate) double_sided: bool,
    pub(crate) vertex_block: u32,
    pub(crate) index_block: u32,
    pub(crate) texture_set: u32,
    pub(crate) delta_set: u32,
}

/// A render object as compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ObjectDraw {
    pub(crate) state: DrawState,
    /// The pipeline that asks each triangle for its front.
    pub(crate) mixed_pipeline: u32,
    pub(crate) mesh: u32,
    pub(crate) index_count: u32,
    pub(crate) first_index: u32,
    pub(crate) vertex_offset: i32,
    pub(crate) material: u32,
    /// Of its bounding box, in object space: where a transparent draw counts as being.
    pub(crate) center: Vec3,
    pub(crate) blend: bool,
    /// One more than the largest joint that the mesh refers to; 0 without influences.
    pub(crate) joint_count: u32,
    /// Whether there are morph targets to be added.
    pub(crate) morphed: bool,
}

impl ObjectDraw {
    pub(crate) fn command(&self, first_instance: u32, instance_count: u32) -> DrawCommand {
        DrawCommand {
            index_count: self.index_count,
            instance_count,
            first_index: self.first_index,
            vertex_offset: self.vertex_offset,
            first_instance,
        }
    }

    /// What has to be bound for an instance that faces so.
    pub(crate) fn state_for(&self, facing: Facing) -> DrawState {
        match facing {
            Facing::Kept | Facing::Mirrored => self.state,
            // Both sides are drawn, and fragments of the back ones discarded.
            Facing::Mixed => DrawState { pipeline: self.mixed_pipeline, double_sided: true, ..self.state },
        }
    }
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
    pub(crate) instance: Instance,
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
    sorted: Vec<(ObjectDraw, Instance)>,
    batches: Vec<Batch>,
    /// Each instance in batch order, before those that mirror are moved to their batch's end, and how it faces.
    instances: Vec<Instance>,
    facings: Vec<Facing>,
    pub(crate) table: Vec<TableEntry>,
    pub(crate) commands: Vec<DrawCommand>,
    pub(crate) runs: Vec<Run>,
    pub(crate) blended: Vec<BlendDraw>,
    pub(crate) morphs: Morphs,
}

impl Batches {
    /// Groups the draws; needed when the structure, the number of matrices or the compiled objects change.
    /// [`sort_mirrored`](Self::sort_mirrored) has to follow.
    ///
    /// Every item's render object is compiled, by `objects[id]`; others are left out. An error leaves no draws.
    pub(crate) fn group(
        &mut self,
        items: &[DrawItem],
        objects: &[Option<ObjectDraw>],
        frame: FrameLayout,
    ) -> Result<(), RendererError> {
        self.sorted.clear();
        self.batches.clear();
        self.instances.clear();
        self.blended.clear();
        self.morphs.clear();
        for item in items {
            let Some(Some(draw)) = objects.get(item.render_object.index()) else { continue };
            let instance = self.instance(item, draw, frame).inspect_err(|_| {
                self.sorted.clear();
                self.blended.clear();
            })?;
            if draw.blend {
                self.blended.push(BlendDraw { draw: *draw, instance });
            } else {
                self.sorted.push((*draw, instance));
            }
        }
        // Stable: instances of one batch keep the list's order.
        self.sorted.sort_by_key(|(draw, _)| (draw.state, draw.mesh));
        for (index, (draw, instance)) in self.sorted.iter().enumerate() {
            self.instances.push(*instance);
            match self.batches.last_mut() {
                Some(batch) if (batch.draw.state, batch.draw.mesh) == (draw.state, draw.mesh) => {
                    batch.end = index + 1
                }
                _ => self.batches.push(Batch { draw: *draw, start: index, end: index + 1 }),
            }
        }
        Ok(())
    }

    fn instance(
        &mut self,
        item: &DrawItem,
        draw: &ObjectDraw,
        frame: FrameLayout,
    ) -> Result<Instance, RendererError> {
        // A mesh without influences stands where its node does, and one at a node without a skin likewise.
        let joints = if draw.joint_count > 0 { item.joints } else { Span::default() };
        if !joints.is_empty() {
            let worn = frame.joints.saturating_sub(joints.start as usize).min(joints.count as usize);
            if worn < draw.joint_count as usize {
                return Err(RendererError::SkinJoints {
                    object: item.render_object,
                    worn: worn as u32,
                    needed: draw.joint_count,
                });
            }
        }
        let matrix = match joints.is_empty() {
            true => item.world,
            false => SKINNED | (frame.first_joint() + joints.start),
        };
        let morphs = match draw.morphed {
            true => frame.first_word() + self.morphs.place(draw.mesh, item.weights),
            false => 0,
        };
        Ok(Instance { entry: TableEntry { matrix, material: draw.material, morphs }, joints })
    }

    /// Writes table, commands and runs; needed after grouping, and when the sign of some determinant changed.
    ///
    /// Within a batch the instances that mirror come last and form a second command, drawn with the other front face, and
    /// those that mirror in part a third one.
    pub(crate) fn sort_mirrored(&mut self, mirrors: Mirrors<'_>) {
        self.table.clear();
        self.commands.clear();
        self.runs.clear();
        self.facings.clear();
        self.facings.extend(self.instances.iter().map(|instance| instance.facing(mirrors)));
        let mut rest = &self.batches[..];
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|batch| batch.draw.state == first.draw.state).count();
            let (same_state, after) = rest.split_at(length);
            rest = after;
            for wanted in [Facing::Kept, Facing::Mirrored, Facing::Mixed] {
                let first_command = self.commands.len();
                for batch in same_state {
                    let first_instance = self.table.len();
                    let instances = self.instances[batch.start..batch.end].iter();
                    let facings = &self.facings[batch.start..batch.end];
                    let chosen = instances.zip(facings).filter(|(_, facing)| **facing == wanted);
                    self.table.extend(chosen.map(|(instance, _)| instance.entry));
                    let count = self.table.len() - first_instance;
                    if count > 0 {
                        self.commands.push(batch.draw.command(first_instance as u32, count as u32));
                    }
                }
                let command_count = (self.commands.len() - first_command) as u32;
                if command_count > 0 {
                    self.runs.push(Run {
                        state: first.draw.state_for(wanted),
                        mirrored: wanted == Facing::Mirrored,
                        first_command: first_command as u32,
                        command_count,
                    });
                }
            }
        }
    }

    /// Number of instances of all kinds: what the table of a frame has to hold.
    pub(crate) fn instance_count(&self) -> usize {
        self.instances.len() + self.blended.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::RenderObjectId;

    fn object(pipeline: u32, texture_set: u32, mesh: u32, material: u32) -> ObjectDraw {
        ObjectDraw {
            state: DrawState {
                pipeline,
                double_sided: false,
                vertex_block: 0,
                index_block: 0,
                texture_set,
                delta_set: 0,
            },
            mixed_pipeline: pipeline + 100,
            mesh,
            index_count: 36,
            first_index: mesh * 36,
            vertex_offset: mesh as i32 * 24,
            material,
            center: Vec3::ZERO,
            blend: false,
            joint_count: 0,
            morphed: false,
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
        batches.group(&items(drawn), &objects, FrameLayout::default()).unwrap();
        batches.sort_mirrored(Mirrors { nodes: mirrored, joints: &[] });
        batches
    }

    #[test]
    fn ten_thousand_equal_draws_are_one_command() {
        let batches = batched(&[0; 10_000], &[object(0, 0, 0, 0)], &[]);
        assert_eq!((batches.commands.len(), batches.runs.len()), (1, 1));
        assert_eq!(batches.commands[0].instance_count, 10_000);
        assert!(batches.table.iter().zip(0..).all(|(entry, world)| entry.matrix == world));
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
        let worlds: Vec<_> = batches.table.iter().map(|entry| entry.matrix).collect();
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

    fn span(start: u32, count: u32) -> Span {
        Span { start, count }
    }

    /// Draws of one mesh with two joints and morph targets, by these joints and weights.
    fn deformed(drawn: &[(Span, Span)]) -> (Batches, Result<(), RendererError>) {
        let object = ObjectDraw { joint_count: 2, morphed: true, ..object(0, 0, 0, 0) };
        let mut items = items(&vec![0; drawn.len()]);
        for (item, (joints, weights)) in items.iter_mut().zip(drawn) {
            (item.joints, item.weights) = (*joints, *weights);
        }
        let mut batches = Batches::default();
        let grouped = batches.group(&items, &[Some(object)], FrameLayout { nodes: 10, joints: 6 });
        (batches, grouped)
    }

    #[test]
    fn instances_with_skins_and_weights_of_their_own_share_a_command() {
        let (mut batches, grouped) =
            deformed(&[(span(0, 2), span(0, 1)), (span(2, 2), span(1, 1)), (span(0, 0), span(0, 1))]);
        grouped.unwrap();
        batches.sort_mirrored(Mirrors::default());
        assert_eq!((batches.commands.len(), batches.commands[0].instance_count), (1, 3));
        let matrices: Vec<_> = batches.table.iter().map(|entry| entry.matrix).collect();
        assert_eq!(matrices, [SKINNED | 10, SKINNED | 12, 2]);
        // 16 matrices are 96 words.
        let morphs: Vec<_> = batches.table.iter().map(|entry| entry.morphs).collect();
        assert_eq!(morphs, [96, 97, 96]);
    }

    #[test]
    fn a_mesh_without_influences_or_targets_is_drawn_as_if_there_were_no_skin_and_no_weights() {
        let mut items = items(&[0]);
        (items[0].joints, items[0].weights) = (span(0, 1), span(0, 1));
        let mut batches = Batches::default();
        batches.group(&items, &[Some(object(0, 0, 0, 0))], FrameLayout { nodes: 1, joints: 1 }).unwrap();
        batches.sort_mirrored(Mirrors { nodes: &[false], joints: &[true] });
        assert_eq!(batches.table, [TableEntry { matrix: 0, material: 0, morphs: 0 }]);
        assert!(!batches.runs[0].mirrored);
    }

    #[test]
    fn instances_face_by_their_joints_and_those_that_mirror_in_part_have_a_pipeline_of_their_own() {
        let none = Span::default();
        let (mut batches, grouped) =
            deformed(&[(span(1, 2), none), (span(2, 2), none), (span(0, 2), none), (span(3, 3), none)]);
        grouped.unwrap();
        let joints = [false, false, true, true, true, true];
        batches.sort_mirrored(Mirrors { nodes: &[true; 10], joints: &joints });
        let matrices: Vec<_> = batches.table.iter().map(|entry| entry.matrix & !SKINNED).collect();
        assert_eq!(matrices, [10, 12, 13, 11]);
        let runs: Vec<_> = batches
            .runs
            .iter()
            .map(|run| (run.state.pipeline, run.state.double_sided, run.mirrored, run.command_count))
            .collect();
        assert_eq!(runs, [(0, false, false, 1), (0, false, true, 1), (100, true, false, 1)]);
        assert_eq!(
            batches.commands.iter().map(|command| command.instance_count).collect::<Vec<_>>(),
            [1, 2, 1]
        );
        // Nothing mirrors any more: one command again.
        batches.sort_mirrored(Mirrors::default());
        assert_eq!((batches.commands.len(), batches.runs.len()), (1, 1));
    }

    #[test]
    fn skins_with_too_few_joints_or_beyond_the_matrices_are_refused_and_leave_no_draws() {
        for (joints, worn) in
            [(span(0, 1), 1), (span(5, 2), 1), (span(9, 2), 0), (span(u32::MAX, u32::MAX), 0)]
        {
            let (mut batches, grouped) = deformed(&[(span(0, 2), span(0, 1)), (joints, span(0, 1))]);
            let object = RenderObjectId::new(0);
            assert_eq!(grouped, Err(RendererError::SkinJoints { object, worn, needed: 2 }));
            batches.sort_mirrored(Mirrors::default());
            assert_eq!((batches.instance_count(), batches.commands.len()), (0, 0));
        }
    }
}
