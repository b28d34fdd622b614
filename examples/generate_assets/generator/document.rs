//! The binary buffer with its views and accessors, and the JSON text of a glTF file.

use serde_json::{Value, json};

/// `bufferView.target` of vertex attributes.
pub const VERTICES: u32 = 34962;
/// `bufferView.target` of indices.
pub const INDICES: u32 = 34963;

/// One buffer in the making: bytes, and the views and accessors that describe them.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// One attribute of an interleaved block: its semantic and its values.
pub enum Stream<'a> {
    /// Two numbers a vertex.
    Two(&'static str, &'a [[f32; 2]]),
    /// Three numbers a vertex.
    Three(&'static str, &'a [[f32; 3]]),
}

impl Buffer {
    /// Adds floats in a view of their own and returns the accessor's index. `bounds` asks for
    /// `min` and `max`, which positions and key times must have.
    pub fn floats<const N: usize>(
        &mut self,
        name: &str,
        values: &[[f32; N]],
        target: Option<u32>,
        bounds: bool,
    ) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(name, &bytes, target, None);
        let mut accessor = accessor(name, view, 0, 5126, values.len(), float_type(N));
        if bounds {
            add_bounds(&mut accessor, values);
        }
        self.accessor(accessor)
    }

    /// Adds vertex colors as normalized bytes, linear red, green, blue and alpha.
    pub fn byte_colors(&mut self, name: &str, values: &[[u8; 4]]) -> usize {
        let view = self.view(name, values.as_flattened(), Some(VERTICES), None);
        let mut accessor = accessor(name, view, 0, 5121, values.len(), "VEC4");
        accessor["normalized"] = json!(true);
        self.accessor(accessor)
    }

    /// Adds 16-bit indices.
    pub fn indices_u16(&mut self, name: &str, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(name, &bytes, Some(INDICES), None);
        self.accessor(accessor(name, view, 0, 5123, values.len(), "SCALAR"))
    }

    /// Adds 8-bit indices.
    pub fn indices_u8(&mut self, name: &str, values: &[u8]) -> usize {
        let view = self.view(name, values, Some(INDICES), None);
        self.accessor(accessor(name, view, 0, 5121, values.len(), "SCALAR"))
    }

    /// Adds attributes vertex by vertex in one view with a stride, and returns the primitive's
    /// `attributes`. All streams have the same length.
    pub fn interleaved(&mut self, name: &str, streams: &[Stream<'_>]) -> Value {
        let rows: Vec<(&str, Vec<&[f32]>)> = streams
            .iter()
            .map(|stream| match stream {
                Stream::Two(name, values) => (*name, values.iter().map(|v| &v[..]).collect()),
                Stream::Three(name, values) => (*name, values.iter().map(|v| &v[..]).collect()),
            })
            .collect();
        let count = rows.first().map_or(0, |(_, values)| values.len());
        let mut bytes = Vec::new();
        for vertex in 0..count {
            for number in rows.iter().flat_map(|(_, values)| values[vertex]) {
                bytes.extend(number.to_le_bytes());
            }
        }
        let view = self.view(name, &bytes, Some(VERTICES), Some(bytes.len() / count.max(1)));
        let (mut offset, mut attributes) = (0, json!({}));
        for stream in streams {
            let (semantic, width) = match stream {
                Stream::Two(semantic, _) => (*semantic, 2),
                Stream::Three(semantic, _) => (*semantic, 3),
            };
            let title = format!("{name}.{semantic}");
            let mut accessor = accessor(&title, view, offset, 5126, count, float_type(width));
            if let Stream::Three("POSITION", values) = stream {
                add_bounds(&mut accessor, values);
            }
            attributes[semantic] = json!(self.accessor(accessor));
            offset += width * 4;
        }
        attributes
    }

    /// Ends the buffer: its bytes, its `bufferViews` and its `accessors`.
    pub fn finish(self) -> (Vec<u8>, Value, Value) {
        (self.bytes, Value::Array(self.views), Value::Array(self.accessors))
    }

    fn view(&mut self, name: &str, bytes: &[u8], target: Option<u32>, stride: Option<usize>) -> usize {
        let mut view = json!({
            "name": name,
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bytes.extend(bytes);
        // Every view starts at a multiple of four, the largest component size.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

fn accessor(name: &str, view: usize, offset: usize, component: u32, count: usize, kind: &str) -> Value {
    json!({
        "name": name,
        "bufferView": view,
        "byteOffset": offset,
        "componentType": component,
        "count": count,
        "type": kind,
    })
}

fn float_type(width: usize) -> &'static str {
    ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1]
}

fn add_bounds<const N: usize>(accessor: &mut Value, values: &[[f32; N]]) {
    let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
        (0..N).filter_map(|axis| values.iter().map(|value| value[axis]).reduce(pick)).collect()
    };
    accessor["min"] = json!(bound(f32::min));
    accessor["max"] = json!(bound(f32::max));
}

/// The `asset` object of every file.
pub fn asset() -> Value {
    json!({
        "version": "2.0",
        "generator": "fire-engine generate_assets",
        "copyright": "The fire-engine authors' own work, dedicated to the public domain (CC0 1.0)",
    })
}

/// A `data:` URI of a glTF buffer.
pub fn data_uri(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = String::from("data:application/octet-stream;base64,");
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if digit <= chunk.len() {
                uri.push(char::from(DIGITS[(group >> (18 - 6 * digit)) as usize & 63]));
            } else {
                uri.push('=');
            }
        }
    }
    uri
}

/// The text of a document: keys in order (whatever map `serde_json` was built with), short
/// values on one line.
pub fn text(document: &Value) -> Vec<u8> {
    let mut out = String::new();
    write(&mut out, document, 0);
    out.push('\n');
    out.into_bytes()
}

fn write(out: &mut String, value: &Value, depth: usize) {
    let flat = flat(value);
    let (open, close, items): (char, char, Vec<(String, &Value)>) = match value {
        Value::Array(items) if flat.len() > 90 => {
            ('[', ']', items.iter().map(|item| (String::new(), item)).collect())
        }
        Value::Object(_) if flat.len() > 90 => ('{', '}', sorted(value)),
        _ => return out.push_str(&flat),
    };
    out.push(open);
    for (index, (key, item)) in items.into_iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        out.push_str(&key);
        write(out, item, depth + 1);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

fn flat(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flat).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(_) => {
            let items: Vec<String> = sorted(value).into_iter().map(|(key, item)| key + &flat(item)).collect();
            format!("{{ {} }}", items.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// An object's `"key": ` texts and values in alphabetical order, but its name first.
fn sorted(object: &Value) -> Vec<(String, &Value)> {
    let mut items: Vec<_> = object.as_object().into_iter().flatten().collect();
    items.sort_by_key(|(key, _)| (*key != "name", *key));
    items.into_iter().map(|(key, item)| (format!("{}: ", json!(key)), item)).collect()
}
