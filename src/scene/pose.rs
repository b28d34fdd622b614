//! Poses that come from no playback: rest, and sampled ones.

use super::arena::Scene;
use super::local::LocalTransform;
use super::play::ClipBinding;
use super::rows::NONE;
use crate::animation::{AnimationError, Pose, TargetPath};
use crate::math::Transform;

impl Scene {
    /// Puts every node that a clip drives, drove or posed to rest: its transform, weights, camera and light become what the
    /// application or the loader last set, and so do the factors of materials. What plays goes on at the next advance.
    pub fn reset_pose(&mut self) {
        for index in 0..self.animated.nodes.len() {
            let node = self.animated.nodes[index];
            if node.slot != NONE {
                self.pose(node.slot, |transform| *transform = node.rest);
            }
        }
        self.weights.reset();
        self.factors.reset();
        self.mark_pose();
    }

    /// Writes a pose of [`sample_clip`](crate::animation::sample_clip) to the nodes and materials of `binding`. Their rest
    /// stays, so [`reset_pose`](Self::reset_pose) undoes it; what plays on them overwrites it at the next advance. Nothing
    /// else changes, and weights that a node lacks are left out.
    ///
    /// # Errors
    /// As [`play`](Self::play) for the pose's clip and `binding`; then nothing was written.
    pub fn apply_pose(&mut self, pose: &Pose, binding: &ClipBinding) -> Result<(), AnimationError> {
        let Some(clip) = pose.clip() else { return Ok(()) };
        self.check_binding(clip, binding)?;
        for (&node, parts) in binding.nodes.iter().zip(pose.slots()) {
            let Some(slot) = self.slot(node) else { continue };
            if parts.drives_transform() {
                // Remembers the rest before it is overwritten for the first time.
                self.animated_of(slot);
                self.pose(slot, |transform| parts.write(transform));
            }
            if let (Some(weights), Some(set)) = (pose.weights_of(parts), self.weights.set_of(slot)) {
                let values = self.weights.values_mut(set);
                let count = values.len().min(weights.len());
                values[..count].copy_from_slice(&weights[..count]);
            }
        }
        for (part, numbers) in pose.others() {
            self.apply_other(part.path, part.slot.index(), numbers, binding);
        }
        self.mark_pose();
        Ok(())
    }

    /// Notes that something besides what plays wrote to the pose.
    fn mark_pose(&mut self) {
        self.pose_dirty = true;
        self.playing.settled = false;
    }

    fn apply_other(&mut self, path: TargetPath, slot: usize, numbers: &[f32], binding: &ClipBinding) {
        let row = match path {
            TargetPath::Material(_) => self.factors.materials.position(binding.materials[slot]),
            _ => self.slot(binding.nodes[slot]),
        };
        let Some(row) = row else { return };
        if let TargetPath::Weight(weight) = path {
            let values = self.weights.set_of(row).map(|set| self.weights.values_mut(set));
            if let Some(value) = values.and_then(|values| values.get_mut(usize::from(weight))) {
                *value = numbers[0];
            }
            return;
        }
        let mut four = [0.0; 4];
        four.iter_mut().zip(numbers).for_each(|(to, &from)| *to = from);
        self.pose_parts().put_factor(path, row, four);
    }

    /// Edits a pose without its rest; a matrix stays.
    fn pose(&mut self, slot: u32, edit: impl FnOnce(&mut Transform)) {
        let node = &self.nodes[slot as usize];
        let mut transform =
            if node.folded { Transform::IDENTITY } else { self.rows.transform[node.row as usize] };
        edit(&mut transform);
        if node.folded {
            if transform == Transform::IDENTITY {
                return;
            }
            self.unfold(slot);
        }
        let row = self.nodes[slot as usize].row;
        if let LocalTransform::Trs(_) = self.rows.local(row) {
            self.rows.transform[row as usize] = transform;
        }
    }

    /// The place where a node's rest is kept; made from its present transform if it has none.
    pub(super) fn animated_of(&mut self, slot: u32) -> u32 {
        let node = &self.nodes[slot as usize];
        if node.animated != NONE {
            return node.animated;
        }
        let rest = match (node.folded, self.rows.local(node.row)) {
            (false, LocalTransform::Trs(rest)) => rest,
            _ => Transform::IDENTITY,
        };
        let index = self.animated.add(slot, rest);
        self.nodes[slot as usize].animated = index;
        index
    }
}
