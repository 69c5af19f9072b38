/** What of undici is in the bundle. These files are not public: the lockfile pins them. */

/** Replaces undici's index, which loads fetch, caches, web sockets and mocks. */
export const undici = `
  import apiConnect from 'undici/lib/api/api-connect.js';
  import apiRequest from 'undici/lib/api/api-request.js';
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  // The agent for proxies needs it for its tunnels.
  Object.assign(Dispatcher.prototype, {connect: apiConnect});
  export {default as Agent} from 'undici/lib/dispatcher/agent.js';
  export {default as Pool} from 'undici/lib/dispatcher/pool.js';
  export {default as ProxyAgent} from 'undici/lib/dispatcher/proxy-agent.js';
  export function request(url, {dispatcher, method = 'GET', ...options}) {
    const {origin, pathname, search} = new URL(url);
    return apiRequest.call(dispatcher, {...options, method, origin, path: pathname + search});
  }
`;

/** Replaces the tree in which undici looks up the names of headers: to make it takes longer than all look-ups of most runs without it. */
const noTree = 'module.exports = {tree: {lookup: () => null}};';

/**
 * Where the parser of HTTP becomes WebAssembly. After some ten answers V8 would compile it again, in a thread of its own and for as long as a bare Node
 * runs; twenty times later it pays. V8 keeps the budget of a module from when that is made. With its default back, compiled code on the disk is
 * of use again; the default is that of V8 12 to 14, and what is not known stays.
 */
const makeParser = `
  function parserOf(bytes) {
    const {bun, v8} = process.versions;
    if (bun !== undefined || Number.parseInt(v8, 10) > 14) return new WebAssembly.Module(bytes);
    const {setFlagsFromString} = require('node:v8');
    setFlagsFromString('--wasm-tiering-budget=260000000');
    try {
      return new WebAssembly.Module(bytes);
    } finally {
      setFlagsFromString('--wasm-tiering-budget=13000000');
    }
  }
`;
const made = 'new WebAssembly.Module(';

function withParser(code) {
  if (!code.includes(made)) throw new Error(`The parser of undici is not made with ${made}`);
  return code.replaceAll(made, 'parserOf(') + makeParser;
}

const changed = [
  [/[\\/]undici[\\/]lib[\\/]core[\\/]tree\.js$/, () => noTree],
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/, withParser],
];

/** For the program only: `pixelctl/client` changes no flags in the processes of others. */
export const changedUndici = {
  name: 'changed undici',
  transform: {
    order: 'pre',
    handler(code, id) {
      const change = changed.find(([file]) => file.test(id))?.[1];
      return change && {code: change(code), map: null};
    },
  },
};
