// Modules that only the bundler knows: a style sheet as text, and Go's wasm_exec.js, which sets globalThis.Go.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "wasm_exec.js";
