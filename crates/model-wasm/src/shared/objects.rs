//! Objects and lists of JavaScript, made here where their numbers must keep their bits.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Object)]
    type Record;
    #[wasm_bindgen(constructor, js_class = "Object")]
    fn new() -> Record;
    #[wasm_bindgen(method, structural, indexing_setter)]
    fn set(this: &Record, key: &str, value: JsValue);

    #[wasm_bindgen(js_name = Array)]
    type List;
    #[wasm_bindgen(constructor, js_class = "Array")]
    fn new() -> List;
    #[wasm_bindgen(method)]
    fn push(this: &List, item: JsValue);
}

/// An object of named values.
pub(crate) fn record(fields: impl IntoIterator<Item = (&'static str, JsValue)>) -> JsValue {
    let record = Record::new();
    fields.into_iter().for_each(|(name, value)| record.set(name, value));
    record.into()
}

/// A list.
pub(crate) fn list(items: impl IntoIterator<Item = JsValue>) -> JsValue {
    let list = List::new();
    items.into_iter().for_each(|item| list.push(item));
    list.into()
}
