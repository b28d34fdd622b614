//! Damage to the values of a document that stays JSON.

use super::random::Random;
use serde_json::{Value, json};

/// Damages one value, and says how.
pub fn damage(root: &mut Value, random: &mut Random) -> String {
    let mut pointers = Vec::new();
    collect("", root, &mut pointers);
    if pointers.is_empty() {
        return "nothing left".to_owned();
    }
    let pointer = random.pick(&pointers).clone();
    let kind = random.below(7);
    match kind {
        // Numbers are what ranges are made of, so they change most often.
        0..=2 => {
            let numbers: Vec<&String> = pointers
                .iter()
                .filter(|pointer| root.pointer(pointer).is_some_and(Value::is_number))
                .collect();
            if numbers.is_empty() {
                return "no number left".to_owned();
            }
            let pointer = (*random.pick(&numbers)).clone();
            let old = root.pointer(&pointer).cloned().unwrap_or_default();
            let new = number(&old, random);
            set(root, &pointer, new.clone());
            format!("{pointer} = {new}")
        }
        3 => {
            let words = [
                "SCALAR",
                "VEC4",
                "MAT3",
                "weights",
                "CUBICSPLINE",
                "KHR_mesh_quantization",
                "data:,",
                "MASK",
            ];
            let value = match random.below(8) {
                0 => Value::Null,
                1 => json!([]),
                2 => json!({}),
                3 => json!(true),
                _ => json!(random.pick(&words)),
            };
            set(root, &pointer, value.clone());
            format!("{pointer} = {value}")
        }
        4 => {
            let other = random.pick(&pointers).clone();
            let (a, b) = (root.pointer(&pointer).cloned(), root.pointer(&other).cloned());
            set(root, &pointer, b.unwrap_or_default());
            set(root, &other, a.unwrap_or_default());
            format!("{pointer} and {other} swapped")
        }
        5 => {
            remove(root, &pointer);
            format!("{pointer} removed")
        }
        _ => {
            // An element again, or a member under another's name.
            let Some((parent, key)) = pointer.rsplit_once('/') else { return "nothing done".to_owned() };
            let value = root.pointer(&pointer).cloned().unwrap_or_default();
            match root.pointer_mut(parent) {
                Some(Value::Array(list)) => list.push(value),
                Some(Value::Object(map)) => {
                    let names = [
                        "sparse",
                        "children",
                        "mesh",
                        "extensions",
                        "matrix",
                        "byteStride",
                        "uri",
                        "bufferView",
                    ];
                    map.insert((*random.pick(&names)).to_owned(), value);
                }
                _ => {}
            }
            format!("{key} of {parent} doubled")
        }
    }
}

fn number(old: &Value, random: &mut Random) -> Value {
    let near = |step: i64| old.as_i64().map(|old| json!(old.wrapping_add(step)));
    let interesting = [
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(-1),
        json!(0.5),
        json!(255),
        json!(65_535),
        json!(5120),
        json!(5126),
        json!(1 << 20),
        json!(i64::from(i32::MAX)),
        json!(u64::from(u32::MAX)),
        json!(1_u64 << 53),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(-1e-308),
        json!(3.5e38),
    ];
    let step = match random.below(5) {
        0 => near(1),
        1 => near(-1),
        2 => near(4),
        _ => None,
    };
    step.unwrap_or_else(|| random.pick(&interesting).clone())
}

fn set(root: &mut Value, pointer: &str, value: Value) {
    // A swap may have moved the place into what was moved.
    if let Some(place) = root.pointer_mut(pointer) {
        *place = value;
    }
}

fn remove(root: &mut Value, pointer: &str) {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return };
    match root.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.remove(&key.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(list)) => {
            if let Ok(index) = key.parse::<usize>()
                && index < list.len()
            {
                list.remove(index);
            }
        }
        _ => {}
    }
}

/// The pointers of every value below the root.
fn collect(at: &str, value: &Value, out: &mut Vec<String>) {
    let mut add = |key: &str, value: &Value| {
        let at = format!("{at}/{key}");
        out.push(at.clone());
        collect(&at, value, out);
    };
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, value)| add(&i.to_string(), value)),
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| add(&key.replace('~', "~0").replace('/', "~1"), value));
        }
        _ => {}
    }
}
