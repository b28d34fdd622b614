//! What the public types promise beside their methods: where they may go, that they can be printed, and that every error is
//! one of `fire_engine::Error`.

use fire_engine::animation::{
    Animation, AnimationError, AnimationEvent, AnimationSampler, Animator, FiredEvent, Playback,
    PlaybackOptions, Pose,
};
use fire_engine::assets::{
    AssetError, GeometryError, ImageData, Material, MaterialFactors, Mesh, MeshPose, PosedVertices,
    RenderAssets,
};
use fire_engine::math::{Bounds, LookAtError, NormalizeError, ProjectionError, Transform};
use fire_engine::preparation::{PreparationError, RenderPlan, RenderPreparation};
use fire_engine::scene::{
    Camera, ClipBinding, Content, ContentError, DocumentMap, DrawList, LightError, NodeMap, NodeMut, NodeRef,
    Scene, SceneError, Skin, SkinError,
};
use fire_engine::vulkan::{
    DeviceInfo, FrameTimings, LiveObjects, Overlay, Renderer, RendererError, RendererInfo, RendererOptions,
    ValidationLog,
};
use std::fmt::Debug;

/// May go to another thread, be seen from several, and be printed.
fn shared<T: Debug + Send + Sync>() {}

/// An error that any thread may hand on, as one of the library.
fn error<E: std::error::Error + Send + Sync + 'static>()
where
    fire_engine::Error: From<E>,
{
}

#[test]
fn descriptions_and_poses_cross_threads_and_print() {
    shared::<Animation>();
    shared::<AnimationEvent>();
    shared::<AnimationSampler>();
    shared::<Animator>();
    shared::<FiredEvent>();
    shared::<Playback>();
    shared::<PlaybackOptions>();
    shared::<Pose>();
    shared::<ImageData>();
    shared::<Material>();
    shared::<Mesh>();
    shared::<MeshPose<'_>>();
    shared::<PosedVertices>();
    shared::<RenderAssets>();
    shared::<Bounds>();
    shared::<Transform>();
    shared::<RenderPlan>();
    shared::<RenderPreparation>();
    shared::<Camera>();
    shared::<ClipBinding>();
    shared::<Content>();
    shared::<DocumentMap>();
    shared::<DrawList>();
    shared::<NodeMap>();
    shared::<NodeMut<'_>>();
    shared::<NodeRef<'_>>();
    shared::<Scene>();
    shared::<Skin>();
}

#[cfg(feature = "gltf")]
#[test]
fn what_a_load_takes_and_gives_crosses_threads_and_prints() {
    use fire_engine::gltf::{
        FolderResolver, LoadLimits, LoadOptions, LoadReport, NoFiles, ProgressCallback, Resource,
        ResourceName,
    };
    shared::<FolderResolver>();
    shared::<LoadLimits>();
    shared::<LoadOptions>();
    shared::<LoadReport>();
    shared::<NoFiles>();
    shared::<ProgressCallback>();
    shared::<Resource>();
    shared::<ResourceName>();
}

#[test]
fn what_a_renderer_takes_and_tells_crosses_threads_and_prints() {
    // Whether two threads may use one at once, nothing promises.
    fn sent<T: Debug + Send>() {}
    sent::<Renderer>();
    shared::<DeviceInfo>();
    shared::<FrameTimings>();
    shared::<LiveObjects>();
    shared::<Overlay>();
    shared::<RendererInfo>();
    shared::<RendererOptions>();
    shared::<ValidationLog>();
}

#[test]
fn every_error_is_one_of_the_library() {
    error::<fire_engine::Error>();
    error::<AnimationError>();
    error::<AssetError>();
    error::<GeometryError>();
    error::<LookAtError>();
    error::<NormalizeError>();
    error::<ProjectionError>();
    error::<PreparationError>();
    error::<ContentError>();
    error::<LightError>();
    error::<SceneError>();
    error::<SkinError>();
    error::<RendererError>();
    #[cfg(feature = "gltf")]
    {
        error::<fire_engine::gltf::LoadError>();
        error::<fire_engine::gltf::ResolveError>();
    }
}

#[test]
fn an_error_says_the_same_as_one_of_the_library() {
    let refused = Skin::new("bones", vec![], vec![]).unwrap_err();
    let words = refused.to_string();
    assert!(words.contains("bones"), "{words}");
    assert_eq!(fire_engine::Error::from(refused).to_string(), words);
}

#[test]
fn the_factors_of_no_material_are_those_of_the_default_one() {
    assert_eq!(MaterialFactors::default(), Material::default().factors());
}
