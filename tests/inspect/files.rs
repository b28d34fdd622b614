//! Small files, written here.

use crate::program::{check_harmless, check_refusal, command, facts, name, said, succeeded, without_loader};
use crate::support::process::empty_folder;
use crate::support::{check, trial};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    let nothing = Ok(());
    let linux = match cfg!(target_os = "linux") {
        true => Ok(()),
        false => Err("libraries are replaced as Linux allows".to_owned()),
    };
    vec![
        trial("facts_are_those_of_the_file", &nothing, facts_are_those_of_the_file),
        trial("bounds_are_those_of_the_clip_and_time", &nothing, bounds_follow_the_clip),
        trial("the_text_names_what_there_is", &nothing, the_text_names_what_there_is),
        trial("t_anim_names_nodes_of_one_name_are_told_apart", &nothing, nodes_of_one_name),
        trial("another_scene_can_be_asked_for", &nothing, another_scene),
        trial("a_refused_file_is_code_1_and_one_line", &nothing, a_refused_file_is_one_line),
        trial("names_cannot_order_a_terminal_about", &nothing, names_are_harmless),
        trial("every_field_is_described", &nothing, every_field_is_described),
        trial("a_long_tree_is_cut_with_a_count", &nothing, a_long_tree_is_cut),
        trial("a_clip_that_is_not_there_lists_those_that_are", &nothing, an_unknown_clip),
        trial("a_wrong_command_line_is_code_2", &nothing, a_wrong_command_line),
        trial("nothing_drawn_has_no_bounds", &nothing, nothing_drawn),
        trial("an_output_that_cannot_be_written_is_code_1", &linux, a_full_disk),
        trial("no_vulkan_is_touched", &linux, no_vulkan_is_touched),
    ]
}

/// Two triangles from (0, 0, 0) to (1, 2, 0) at two nodes, of which the first moves by 3 m along x in 2 s.
fn document() -> Value {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let positions = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let (times, moves) = (floats(&[0.0, 2.0]), floats(&[0.0, 0.0, 0.0, 3.0, 0.0, 0.0]));
    let bytes = [&positions[..], &times, &moves].concat();
    let hex: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"name": "Day", "nodes": [0]}, {"name": "Night", "nodes": [2]}],
        "nodes": [
            {"name": "Mover", "children": [1], "mesh": 0},
            {"name": "Eye", "camera": 0, "translation": [0, 0, -4]},
            {"mesh": 0, "translation": [0, 10, 0]},
        ],
        "cameras": [{"name": "Wide", "type": "perspective", "perspective": {"yfov": 1, "znear": 1}}],
        "meshes": [{"name": "Flag", "primitives": [
            {"attributes": {"POSITION": 0}, "material": 0},
            {"attributes": {"POSITION": 0}},
        ]}],
        "materials": [{"name": "Red", "alphaMode": "BLEND", "doubleSided": true,
            "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 0.5]}, "extensions": {"KHR_materials_unlit": {}}}],
        "animations": [{"name": "Go", "samplers": [{"input": 1, "output": 2}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
        "extensionsUsed": ["KHR_materials_unlit", "ACME_gizmo"],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 8},
            {"buffer": 0, "byteOffset": 44, "byteLength": 24},
        ],
        "buffers": [{"byteLength": 68, "uri": format!("data:application/octet-stream,{hex}")}],
    })
}

/// Writes a document into a folder of its own.
fn written(test: &str, document: &Value) -> Result<String, Failed> {
    let folder = empty_folder(&format!("inspect_{test}"));
    std::fs::write(folder.join("model.gltf"), document.to_string())?;
    Ok(name(&folder, "model.gltf"))
}

fn same(what: &str, found: &Value, expected: Value) -> Result<(), Failed> {
    check(*found == expected, || format!("{what}: {found} instead of {expected}"))
}

fn facts_are_those_of_the_file() -> Result<(), Failed> {
    let file = written("facts", &document())?;
    let facts = facts(&[&file])?;
    same("file", &facts["file"], json!(file))?;
    let counts = json!({
        "scenes": 2, "nodes": 3, "meshes": 1, "primitives": 2, "materials": 1, "textures": 0, "images": 0, "samplers": 0,
        "accessors": 3, "bufferViews": 3, "buffers": 1, "animations": 1, "skins": 0, "cameras": 1,
        "scene_nodes": 2, "scene_root_nodes": 1, "scene_draws": 2,
    });
    same("counts", &facts["counts"], counts)?;
    let channel =
        json!({"node": 0, "name": "Mover", "path": "translation", "interpolation": "LINEAR", "keyframes": 2});
    let clips = json!([{"index": 0, "name": "Go", "duration": 2.0, "channels": [channel]}]);
    same("clips", &facts["clips"], clips)?;
    let extensions =
        json!({"drawn": ["KHR_materials_unlit"], "reported": ["ACME_gizmo"], "refused": [], "required": []});
    same("extensions", &facts["extensions"], extensions)?;
    same("bounds", &facts["bounds"], json!({"min": [0.0, 0.0, 0.0], "max": [1.0, 2.0, 0.0]}))?;
    same("pose", &facts["pose"], json!(null))?;
    let nodes = facts["nodes"].as_array().ok_or("no nodes")?;
    let listed: Vec<_> = nodes.iter().map(|node| (&node["index"], &node["parent"], &node["mesh"])).collect();
    let expected = [(0, Value::Null, json!(0)), (1, json!(0), Value::Null)];
    for ((index, parent, mesh), expected) in listed.iter().zip(&expected) {
        check(**index == json!(expected.0) && **parent == expected.1 && **mesh == expected.2, || {
            format!("{listed:?}")
        })?;
    }
    same("camera", &nodes[1]["camera"], json!({"number": 0, "name": "Wide", "type": "perspective"}))?;
    same("translation", &nodes[1]["translation"], json!([0.0, 0.0, -4.0]))?;
    let primitives = &facts["meshes"][0]["primitives"];
    same(
        "materials of primitives",
        &json!([primitives[0]["material"], primitives[1]["material"]]),
        json!([0, null]),
    )?;
    let material = &facts["materials"][0];
    let of_material =
        json!([material["name"], material["alpha_mode"], material["double_sided"], material["unlit"]]);
    same("material", &of_material, json!(["Red", "BLEND", true, true]))?;
    same("base color", &material["base_color_factor"], json!([1.0, 0.0, 0.0, 0.5]))?;
    // Nine floats a primitive, with 16-bit indices made up; the default material asks for lighting, hence normals on the CPU.
    let gpu = json!({"vertices": 72, "indices": 12, "morph_targets": 0, "images": 0, "total": 84});
    same("GPU memory", &facts["memory"]["gpu"], gpu)?;
    same("keyframes", &facts["memory"]["cpu"]["keyframes"], json!(32))?;
    let rows = facts["report"].as_array().ok_or("no report")?;
    let gizmo =
        rows.iter().find(|row| row["message"].as_str().is_some_and(|text| text.contains("ACME_gizmo")));
    let gizmo = gizmo.ok_or_else(|| format!("{rows:?}"))?;
    let row = json!([gizmo["severity"], gizmo["json_path"], gizmo["kind"]]);
    same("row", &row, json!(["warning", "extensionsUsed[1]", "ignored"]))
}

fn bounds_follow_the_clip() -> Result<(), Failed> {
    let file = written("clip", &document())?;
    for (clip, time, x) in [("0", "0", 0.0), ("0", "1", 1.5), ("Go", "2", 3.0), ("Go", "100", 3.0)] {
        let facts = facts(&[&file, "--clip", clip, "--time", time])?;
        let bounds = json!({"min": [x, 0.0, 0.0], "max": [x + 1.0, 2.0, 0.0]});
        same(&format!("bounds at {time} s"), &facts["bounds"], bounds)?;
        let at: f64 = time.parse().map_err(|_| "no time")?;
        same("pose", &facts["pose"], json!({"clip": 0, "time": at.min(2.0)}))?;
        same("place", &facts["nodes"][0]["translation"], json!([x, 0.0, 0.0]))?;
    }
    let text = succeeded(&mut command(&["inspect", &file, "--clip", "Go", "--time", "1"]))?;
    check(text.contains("Bounds at 1 s of clip 0 \"Go\"") && text.contains("  max (2.5, 2, 0)\n"), || {
        text.clone()
    })
}

fn the_text_names_what_there_is() -> Result<(), Failed> {
    let file = written("text", &document())?;
    let text = succeeded(&mut command(&["inspect", &file]))?;
    for line in [
        format!("{file}: scene 0 \"Day\" of 2"),
        "Nodes (1 of the file are not in this scene):".to_owned(),
        "  0 \"Mover\", mesh 0 \"Flag\" (2 primitives, 2 triangles)".to_owned(),
        "    1 \"Eye\", perspective camera 0 \"Wide\"".to_owned(),
        "  0 \"Go\": 2 s, 1 channel".to_owned(),
        "      node 0 \"Mover\": translation".to_owned(),
        "  0 \"Red\": BLEND, double-sided, unlit, base color (1, 0, 0, 0.5), metallic 1, roughness 1"
            .to_owned(),
        "Images: none".to_owned(),
        "  drawn: KHR_materials_unlit".to_owned(),
        "  reported: ACME_gizmo".to_owned(),
        "Bounds at rest, in meters:".to_owned(),
    ] {
        check(text.lines().any(|found| found == line), || format!("{line:?} is missing:\n{text}"))?;
    }
    check(text.contains("nodes 3, meshes 1, primitives 2, materials 1"), || text.clone())
}

/// T-ANIM-NAMES: what a clip drives is said by number, and by name besides.
fn nodes_of_one_name() -> Result<(), Failed> {
    let mut document = document();
    document["nodes"][1]["name"] = json!("Mover");
    let second = json!({"sampler": 0, "target": {"node": 1, "path": "scale"}});
    let channels = document["animations"][0]["channels"].as_array_mut().ok_or("no channels")?;
    channels.push(second);
    channels.push(json!({"sampler": 0, "target": {"node": 0, "path": "scale"}}));
    let file = written("one_name", &document)?;
    let facts = facts(&[&file])?;
    let channels = facts["clips"][0]["channels"].as_array().ok_or("no channels")?;
    let nodes: Vec<_> = channels.iter().map(|channel| json!([channel["node"], channel["name"]])).collect();
    same("nodes", &json!(nodes), json!([[0, "Mover"], [1, "Mover"], [0, "Mover"]]))?;
    let text = succeeded(&mut command(&["inspect", &file]))?;
    let lines = "      node 0 \"Mover\": translation, scale\n      node 1 \"Mover\": scale\n";
    check(text.contains(lines), || text.clone())
}

fn another_scene() -> Result<(), Failed> {
    let file = written("scene", &document())?;
    for scene in ["1", "Night"] {
        let facts = facts(&[&file, "--scene", scene])?;
        same("scene", &facts["scene"], json!(1))?;
        same("bounds", &facts["bounds"], json!({"min": [0.0, 10.0, 0.0], "max": [1.0, 12.0, 0.0]}))?;
        same("names", &facts["scenes"], json!(["Day", "Night"]))?;
    }
    check_refusal(&said(&mut command(&["inspect", &file, "--scene", "Dusk"]))?, &file)
}

fn a_refused_file_is_one_line() -> Result<(), Failed> {
    let folder = empty_folder("inspect_refused");
    let mut requires = document();
    requires["extensionsRequired"] = json!(["ACME_gizmo", "ACME_other"]);
    let mut outside = document();
    outside["nodes"][0]["mesh"] = json!(7);
    std::fs::write(folder.join("requires.gltf"), requires.to_string())?;
    std::fs::write(folder.join("outside.gltf"), outside.to_string())?;
    std::fs::write(folder.join("empty.glb"), "")?;
    std::fs::write(folder.join("text.gltf"), "no\nJSON\n")?;
    let cases = [
        ("absent.glb", ""),
        ("requires.gltf", "ACME_gizmo, ACME_other"),
        ("outside.gltf", "nodes[0].mesh"),
        ("empty.glb", ""),
        ("text.gltf", ""),
        ("", ""),
    ];
    for (file, reason) in cases {
        let file = name(&folder, file);
        for json in [&[][..], &["--json"]] {
            let said = said(&mut command(&[&["inspect", file.as_str()], json].concat()))?;
            check_refusal(&said, &file)?;
            check(said.error.contains(reason), || format!("{said:?}"))?;
            if json.is_empty() {
                check(said.out.is_empty(), || format!("{said:?}"))?;
                continue;
            }
            let object: Value = serde_json::from_str(&said.out).map_err(|error| error.to_string())?;
            let line = format!("fire-engine: {}\n", object["error"].as_str().unwrap_or(""));
            check(line == said.error && object["file"] == json!(file), || format!("{said:?}"))?;
            let names: Vec<&str> = reason.split(", ").filter(|name| name.starts_with("ACME")).collect();
            same("refused", &object["extensions"]["refused"], json!(names))?;
        }
    }
    Ok(())
}

/// What a file calls its things is data, wherever it is shown.
fn names_are_harmless() -> Result<(), Failed> {
    let order = "a\u{1b}]0;owned\u{7}\u{9b}2J\r\n\u{7f}\u{202e}z";
    let mut document = document();
    for list in ["scenes", "nodes", "cameras", "meshes", "materials", "animations"] {
        document[list][0]["name"] = json!(order);
    }
    document["nodes"][1]["name"] = json!(order);
    document["extensionsUsed"][1] = json!(order);
    document["extensions"] = json!({"KHR_materials_variants": {"variants": [{"name": order}]}});
    let folder = empty_folder("inspect_names\u{1b}[31m");
    std::fs::write(folder.join("model.gltf"), document.to_string())?;
    let file = name(&folder, "model.gltf");
    for arguments in [&["--clip", order][..], &["--full"], &["--json"], &[]] {
        check_harmless(&succeeded(&mut command(&[&["inspect", file.as_str()], arguments].concat()))?)?;
    }
    let facts = facts(&[&file])?;
    let read =
        json!([facts["nodes"][1]["name"], facts["clips"][0]["name"], facts["extensions"]["reported"][0]]);
    same("names as they were", &read, json!([order, order, order]))?;
    for arguments in [&["--clip", "b\u{1b}[m"][..], &["--scene", "b\u{1b}[m"]] {
        let said = said(&mut command(&[&["inspect", file.as_str()], arguments].concat()))?;
        check(said.code == Some(1) && said.error.lines().count() == 1, || format!("{said:?}"))?;
        check_harmless(&said.error)?;
    }
    Ok(())
}

/// Every name in what is printed stands in the description, as do the words that it can have for values.
fn every_field_is_described() -> Result<(), Failed> {
    fn names(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                out.extend(fields.keys().cloned());
                fields.values().for_each(|value| names(value, out));
            }
            Value::Array(values) => values.iter().for_each(|value| names(value, out)),
            _ => {}
        }
    }
    let mut document = document();
    document["nodes"][1]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    document["nodes"][1].as_object_mut().ok_or("no node")?.remove("translation");
    document["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_lights_punctual"]);
    document["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    document["nodes"][1]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    document["materials"][0]["alphaMode"] = json!("MASK");
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    document["textures"] = json!([{"source": 0}]);
    // One white pixel.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";
    document["images"] = json!([{"uri": format!("data:image/png;base64,{png}")}]);
    document["skins"] = json!([{"joints": [0]}]);
    let file = written("described", &document)?;
    let mut found = Vec::new();
    names(&facts(&[&file, "--clip", "0"])?, &mut found);
    let refused = said(&mut command(&["inspect", "--json", "absent.glb"]))?;
    names(&serde_json::from_str(&refused.out).map_err(|error| error.to_string())?, &mut found);
    for (part, fields) in
        [("light", "intensity"), ("matrix", "matrix"), ("slot", "tex_coord"), ("skin", "joints")]
    {
        check(found.iter().any(|name| name == fields), || format!("the test has no {part}: {found:?}"))?;
    }
    let words = ["info", "warning", "ignored", "repaired", "approximated"].map(str::to_owned);
    let description = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/inspect.md"))?;
    for name in found.iter().chain(&words) {
        check(description.contains(&format!("`{name}`")), || format!("{name} is not described"))?;
    }
    Ok(())
}

fn a_long_tree_is_cut() -> Result<(), Failed> {
    let mut document = document();
    let nodes = document["nodes"].as_array_mut().ok_or("no nodes")?;
    // A chain, each below the last, deeper than any stack would bear.
    let deep = 50_000;
    nodes.truncate(2);
    nodes[1] = json!({"children": [2]});
    nodes.extend(
        (2..deep).map(|index| if index + 1 < deep { json!({"children": [index + 1]}) } else { json!({}) }),
    );
    document["scenes"] = json!([{"nodes": [0]}]);
    let file = written("long", &document)?;
    let text = succeeded(&mut command(&["inspect", &file]))?;
    let cut = format!("  ... {} more; --full shows all", deep - 40);
    check(text.lines().any(|line| line == cut) && text.lines().count() < 120, || text.clone())?;
    let text = succeeded(&mut command(&["inspect", &file, "--full"]))?;
    check(text.lines().count() > deep && !text.contains("--full"), || "it is cut".to_owned())?;
    same("nodes", &json!(facts(&[&file])?["nodes"].as_array().map(Vec::len)), json!(deep))
}

fn an_unknown_clip() -> Result<(), Failed> {
    let file = written("unknown", &document())?;
    for asked in ["1", "go", ""] {
        let said = said(&mut command(&["inspect", &file, "--json", "--clip", asked]))?;
        check(said.code == Some(1) && said.out.is_empty(), || format!("{said:?}"))?;
        let expected = format!("fire-engine: no clip {asked:?}; there are: 0 \"Go\"\n");
        check(said.error == expected, || format!("{said:?}"))?;
    }
    Ok(())
}

fn a_wrong_command_line() -> Result<(), Failed> {
    let bad: [(&[&str], &str); 5] = [
        (&[], "MODEL"),
        (&["a.glb", "--time", "1"], "--clip"),
        (&["a.glb", "--clip", "0", "--time", "-1"], "--time"),
        (&["a.glb", "b.glb"], "b.glb"),
        (&["a.glb", "--no-such"], "--no-such"),
    ];
    for (arguments, named) in bad {
        let said = said(&mut command(&[&["inspect"], arguments].concat()))?;
        check(said.code == Some(2) && said.error.contains(named) && said.out.is_empty(), || {
            format!("{said:?}")
        })?;
    }
    let help = succeeded(&mut command(&["inspect", "--help"]))?;
    for option in ["--json", "--full", "--scene", "--clip", "--time"] {
        check(help.contains(option), || format!("{option} is not explained: {help}"))?;
    }
    Ok(())
}

fn nothing_drawn() -> Result<(), Failed> {
    let file = written("nothing", &json!({"asset": {"version": "2.0"}}))?;
    let facts = facts(&[&file])?;
    same("bounds and scene", &json!([facts["bounds"], facts["scene"]]), json!([null, null]))?;
    same("nodes", &facts["counts"]["nodes"], json!(0))?;
    let text = succeeded(&mut command(&["inspect", &file]))?;
    check(text.contains("Bounds at rest: nothing is drawn") && text.contains(": no scene\n"), || text.clone())
}

fn a_full_disk() -> Result<(), Failed> {
    let file = written("full_disk", &document())?;
    for json in [&[][..], &["--json"]] {
        let mut command = command(&[&["inspect", file.as_str()], json].concat());
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
        let output = command.stdout(full).stderr(std::process::Stdio::piped()).spawn()?.wait_with_output()?;
        let error = String::from_utf8_lossy(&output.stderr);
        check(output.status.code() == Some(1) && error.contains("cannot write to standard output"), || {
            error.to_string()
        })?;
    }
    Ok(())
}

fn no_vulkan_is_touched() -> Result<(), Failed> {
    let file = written("no_vulkan", &document())?;
    let plain = succeeded(&mut command(&["inspect", &file]))?;
    let bare = succeeded(&mut without_loader("inspect_no_loader", &["inspect", &file]))?;
    check(plain == bare, || format!("{plain}\n{bare}"))
}
