//! Errors as JavaScript sees them: a plain object `{ code, message }`, which `ts/engine/failure.ts` takes apart.

use marginalia_tables::Error;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Object)]
    type Object;
    #[wasm_bindgen(constructor, js_class = "Object")]
    fn new() -> Object;
    #[wasm_bindgen(method, structural, indexing_setter)]
    fn set(this: &Object, key: &str, value: &str);
}

/// What a binding throws; made from any error of the crates by `?`.
#[derive(Debug)]
pub struct Failure(Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Failure> for JsValue {
    #[cold]
    #[inline(never)]
    fn from(Failure(error): Failure) -> Self {
        let thrown = Object::new();
        thrown.set("code", error.code.as_str());
        thrown.set("message", &error.message);
        thrown.into()
    }
}

/// Shorthand for the results of bindings.
pub type Result<T> = std::result::Result<T, Failure>;
