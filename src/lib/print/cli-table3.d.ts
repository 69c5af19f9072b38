/** Declares the functions that `draw.ts` replaces, because the types of cli-table3 leave them out. */
declare module 'cli-table3/src/utils.js' {
  const utils: object;
  export default utils;
}
