/** What `draw.ts` replaces of cli-table3, whose own types leave it out. */
declare module 'cli-table3/src/utils.js' {
  const utils: object;
  export default utils;
}
