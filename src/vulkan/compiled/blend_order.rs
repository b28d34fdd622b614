//! Transparent draws in the order of their depths.

use super::batches::{BlendDraw, ObjectDraw, Run};
use super::facing::{Facing, Mirrors};
use super::layout::{DrawCommand, TableEntry};

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
        mirrors: Mirrors<'_>,
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
        let mut previous: Option<(ObjectDraw, Facing)> = None;
        for &(_, index) in &self.order {
            let BlendDraw { draw, instance } = blended[index as usize];
            let facing = instance.facing(mirrors);
            let first_instance = base_instance + self.table.len() as u32;
            self.table.push(instance.entry);
            let same_state = previous.is_some_and(|(p, f)| (p.state, f) == (draw.state, facing));
            let same_mesh = same_state && previous.is_some_and(|(p, _)| p.mesh == draw.mesh);
            previous = Some((draw, facing));
            if same_mesh && let Some(last) = self.commands.last_mut() {
                last.instance_count += 1;
                continue;
            }
            self.commands.push(draw.command(first_instance, 1));
            match self.runs.last_mut() {
                Some(run) if same_state => run.command_count += 1,
                _ => self.runs.push(Run {
                    state: draw.state_for(facing),
                    mirrored: facing == Facing::Mirrored,
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
    use crate::math::Vec3;
    use crate::scene::Span;
    use crate::vulkan::compiled::batches::DrawState;
    use crate::vulkan::compiled::facing::Instance;

    /// A draw of mesh 0 at a node, with a texture.
    fn glass(node: u32, texture_set: u32) -> BlendDraw {
        let state = DrawState {
            pipeline: 0,
            double_sided: false,
            vertex_block: 0,
            index_block: 0,
            texture_set,
            delta_set: 0,
        };
        let draw = ObjectDraw {
            state,
            mixed_pipeline: 100,
            mesh: 0,
            index_count: 36,
            first_index: 0,
            vertex_offset: 0,
            material: 0,
            center: Vec3::ZERO,
            blend: true,
            joint_count: 0,
            morphed: false,
        };
        let entry = TableEntry { matrix: node, material: 0, morphs: 0 };
        BlendDraw { draw, instance: Instance { entry, joints: Span::default() } }
    }

    #[test]
    fn transparent_draws_sort_farthest_first_with_ties_in_list_order_and_merge() {
        let depths = [5.0, 1.0, 9.0, 5.0];
        let mut order = BlendOrder::default();
        let draws = [glass(0, 0), glass(1, 1), glass(2, 0), glass(3, 0)];
        order.sort(&draws, Mirrors::default(), (10, 20), |draw| depths[draw.instance.entry.matrix as usize]);
        let nodes: Vec<_> = order.table.iter().map(|entry| entry.matrix).collect();
        assert_eq!(nodes, [2, 0, 3, 1]);
        assert_eq!(order.commands.len(), 2);
        assert_eq!((order.commands[0].first_instance, order.commands[0].instance_count), (10, 3));
        assert_eq!((order.runs[1].first_command, order.runs[1].command_count), (21, 1));
    }

    #[test]
    fn draws_that_face_in_other_ways_are_apart() {
        let mut order = BlendOrder::default();
        let mut draws = [glass(0, 0), glass(1, 0), glass(2, 0)];
        draws[2].instance.entry.matrix = crate::vulkan::compiled::layout::SKINNED;
        draws[2].instance.joints = Span { start: 0, count: 2 };
        let mirrors = Mirrors { nodes: &[false, true], joints: &[true, false] };
        order.sort(&draws, mirrors, (0, 0), |_| 0.0);
        let runs: Vec<_> =
            order.runs.iter().map(|run| (run.state.pipeline, run.state.double_sided, run.mirrored)).collect();
        assert_eq!(runs, [(0, false, false), (0, false, true), (100, true, false)]);
    }

    #[test]
    fn not_a_number_depths_do_not_upset_the_order() {
        let mut order = BlendOrder::default();
        let draws = [glass(0, 0), glass(1, 0), glass(2, 0)];
        order.sort(&draws, Mirrors::default(), (0, 0), |draw| match draw.instance.entry.matrix {
            1 => f32::NAN,
            other => other as f32,
        });
        assert_eq!(order.table.len(), 3);
    }
}
