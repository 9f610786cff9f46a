declare module "glue:simd" {
  const create: import("./raw.js").CreateRaw;
  export default create;
}

declare module "glue:threads" {
  const create: import("./raw.js").CreateRaw;
  export default create;
}

declare module "glue:model-simd" {
  const create: import("./raw.js").CreateRawModel;
  export default create;
}

declare module "glue:model-threads" {
  const create: import("./raw.js").CreateRawModel;
  export default create;
}

declare module "glue:graph" {
  const create: import("./raw.js").CreateRawGraph;
  export default create;
}

declare module "glue:lp" {
  const create: import("./raw.js").CreateRawLp;
  export default create;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
