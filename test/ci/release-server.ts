/** Release archives on a server on loopback, as `install.sh` downloads them. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {newFolder} from '../e2e/program.js';
import {listen} from '../loopback-server.js';

export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** A program that only says its release, and runs a line of shell for anything else. */
export const programOf = (version: string, line = ':'): string =>
  `#!/bin/sh\n[ "$1" = --version ] && echo 'pixelctl/${version} test' && exit\n${line}\n`;

/** An archive of a release with a program in a folder, as the release script makes them. */
export function archiveOf(program: string, folder: string): Buffer {
  const place = newFolder();
  mkdirSync(join(place, folder));
  writeFileSync(join(place, folder, 'pixelctl'), program, {mode: 0o755});
  const file = join(place, 'archive');
  execFileSync('tar', ['-czf', file, '-C', place, folder]);
  return readFileSync(file);
}

export interface ReleaseServer {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: readonly string[];
}

/** Serves these files by their paths, and redirects where the content is an address. */
export async function serveFiles(files: Readonly<Record<string, Buffer | string | URL>>): Promise<ReleaseServer> {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const content = files[path];
    if (content instanceof URL) response.writeHead(302, {location: content.href}).end();
    else if (content === undefined) response.writeHead(404).end();
    else response.end(content);
  });
  return {url: url.origin, asked};
}
