/** The form of the bundle's files, which bin/load.js reads. */
import {createHash} from 'node:crypto';

/** Code with escapes for all but ASCII: V8 needs twice the memory for a text with any other character. */
function inAscii(code) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, backslashes, character) => {
    // A backslash before such a character means nothing.
    return backslashes.slice(backslashes.length % 2) + escaped(character);
  });
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * The text of a file with these modules, which bin/load.js loads. Its first line is a comment: a hash, and as JSON where each module starts and ends.
 * @param modules each with its name and code
 * @param others files by name of the modules in them
 */
export function fileOf(modules, others) {
  let text = '\n';
  const places = modules.map(({fileName, code}) => {
    const start = text.length;
    text += `(function(exports,require,module,__filename,__dirname){${inAscii(code)}\n})`;
    const place = [start, text.length];
    text += ';\n';
    return [fileName, place];
  });
  const index = {modules: Object.fromEntries(places), ...(others !== undefined && {files: others})};
  return `/*${hashOf(text)}${JSON.stringify(index)}*/${text}`;
}
