/** Archives that are the same, byte for byte, whenever and wherever they are made from the same files. */
import {createWriteStream, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {create} from 'tar';
import {ZipFile} from 'yazl';
import {filesIn} from '../files.js';

/** Everything in a folder, sorted, with paths from the folder above it. */
const entriesOf = (place, folder) => filesIn(join(place, folder)).map((file) => `${folder}/${file}`);

/** All that a file mode says: who makes a release may hide files from others. */
const modeOf = ({mode}) => ((mode & 0o100) === 0 ? 0o644 : 0o755);

/**
 * Packs a folder into a `.tar.gz`.
 * @param place the folder above
 * @param folder its name, which all paths in the archive begin with
 * @param {string} file the archive
 * @param time the time of all files
 */
export async function packTar(place, folder, file, time) {
  // `portable` leaves out what depends on this machine, such as owners.
  const options = {cwd: place, file, gzip: {level: 9, portable: true}, portable: true, mtime: time, noDirRecurse: true};
  const onWriteEntry = (entry) => {
    entry.stat.mode = modeOf(entry.stat);
  };
  await create({...options, onWriteEntry}, entriesOf(place, folder));
}

/** Packs a folder into a `.zip`. The parameters are those of {@link packTar}. */
export async function packZip(place, folder, file, time) {
  const zip = new ZipFile();
  for (const path of entriesOf(place, folder)) {
    const file = join(place, path);
    zip.addBuffer(readFileSync(file), path, {mtime: time, mode: 0o100000 | modeOf(statSync(file)), compressionLevel: 9});
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}
