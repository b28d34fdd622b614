//! Lists of a document that could be multiplied with each other, and are not.

use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, load_from_slice, load_from_slice_with};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What loads in less than a second, and took minutes with each entry of one list held against each of the other.
const SOON: Duration = Duration::from_secs(20);

const MANY: usize = 150_000;

#[test]
fn many_nodes_that_share_many_variants_do_not_cost_their_product() {
    let mappings = json!([{"material": 0, "variants": (0..MANY).collect::<Vec<_>>()}]);
    let primitive = json!({
        "attributes": {"POSITION": 0},
        "extensions": {"KHR_materials_variants": {"mappings": mappings}},
    });
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_materials_variants"],
        "extensions": {"KHR_materials_variants": {"variants": vec![json!({"name": ""}); MANY]}},
        "scenes": [{"nodes": (0..MANY).collect::<Vec<_>>()}],
        "nodes": vec![json!({"mesh": 0}); MANY],
        "meshes": [{"primitives": [primitive]}],
        "materials": [{}],
        "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}],
    });
    let start = Instant::now();
    let (content, _) = load_from_slice(document.to_string().as_bytes(), &NoFiles).unwrap();
    let took = start.elapsed();
    // Each node, and its primitive below it.
    assert_eq!((content.scene.len(), content.scene.variants().len()), (2 * MANY, MANY));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn many_extensions_that_are_declared_and_as_many_others_that_are_not_do_not_cost_their_product() {
    let declared: Vec<String> = (0..MANY).map(|i| format!("EXT_declared_{i:09}")).collect();
    let carried = (0..MANY).map(|i| (format!("EXT_undeclare_{i:08}"), json!({})));
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": declared,
        "extensions": Value::Object(carried.collect()),
    });
    let limits = LoadLimits { report_rows: usize::MAX, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let start = Instant::now();
    let (_, report) =
        load_from_slice_with("many", document.to_string().as_bytes(), &NoFiles, &options).unwrap();
    let took = start.elapsed();
    assert_eq!(report.len(), 2 * MANY, "one row for each");
    assert!(took < SOON, "{took:?}");
}

#[test]
fn many_primitives_beside_many_declared_extensions_do_not_cost_their_product() {
    let declared: Vec<String> = (0..MANY).map(|i| format!("EXT_declared_{i:09}")).collect();
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": declared,
        "meshes": [{"primitives": vec![json!({"attributes": {"POSITION": 0}}); MANY]}],
        "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}],
    });
    let start = Instant::now();
    let (content, _) = load_from_slice(document.to_string().as_bytes(), &NoFiles).unwrap();
    let took = start.elapsed();
    assert_eq!(content.assets.meshes().len(), MANY);
    assert!(took < SOON, "{took:?}");
}

/// Found in review: each node looked through the primitives of its mesh for what they need of its skin.
#[test]
fn many_nodes_in_skins_on_a_mesh_of_many_primitives_do_not_cost_their_product() {
    let mut nodes = vec![json!({"mesh": 0, "skin": 0}); 2 * MANY];
    nodes[0] = json!({});
    let document = json!({
        "asset": {"version": "2.0"},
        // The others are in no scene, and are checked all the same.
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "skins": [{"joints": [0]}],
        "meshes": [{"primitives": vec![json!({"attributes": {"POSITION": 0}, "mode": 0}); MANY]}],
        "accessors": [{"componentType": 5126, "count": 1, "type": "VEC3"}],
    });
    let start = Instant::now();
    let (content, _) = load_from_slice(document.to_string().as_bytes(), &NoFiles).unwrap();
    let took = start.elapsed();
    assert_eq!((content.scene.len(), content.document.skins.len()), (1, 1));
    assert!(took < SOON, "{took:?}");
}
