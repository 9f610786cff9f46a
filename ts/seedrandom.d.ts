/** The one generator of the package `seedrandom` that is used, by the name of its file. */
declare module "seedrandom/seedrandom.js" {
  export { default } from "seedrandom";
}
