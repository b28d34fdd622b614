//! Names of clips, channels, slots and playbacks.

dense_id! {
    /// Position of a clip in the list that is handed to [`crate::scene::advance_animations`].
    AnimationId
}
dense_id! {
    /// Position of a channel in its clip.
    ChannelId
}
dense_id! {
    /// Position of a target in its clip: what a binding maps to a node.
    SlotId
}

unique_id! {
    /// Names one built clip for the life of the process; clones share it, since their samples are the same.
    AnimationIdentity
}
unique_id! {
    /// Names one playback for the life of the process; never reused, so one from another scene finds nothing.
    PlaybackId
}
