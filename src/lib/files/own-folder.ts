/**
 * The program's own folders for profiles, tokens, state and caches: where they are, and checks that nobody else can write to them.
 * Imports no other module of ours, because bin/run.js loads it before the compile cache is enabled.
 */
import {chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, type Stats} from 'node:fs';
import {enableCompileCache, getCompileCacheDir} from 'node:module';
import {homedir, userInfo} from 'node:os';
import {dirname, isAbsolute, join, resolve, sep} from 'node:path';
import type {Environment} from './runtime.js';

const forOthers = 0o077;
const writableByOthers = 0o022;
const writableByAll = 0o002;
const sticky = 0o1000;
const forOwner = 0o700;

/** How many links a path may lead through, as on Linux. */
const maxLinks = 40;

/** Others could read or change a file or folder. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  readonly code = 'ENOTPRIVATE';
  /** The words of the command that fixes it; undefined where that could harm others. */
  readonly command: readonly string[] | undefined;

  constructor(message: string, command?: readonly string[]) {
    super(message);
    this.command = command;
  }
}

function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), {code});
}

/** Undefined on Windows, where the folders of a user are closed to others by default. */
const user = (): number | undefined => process.geteuid?.();

/** The owner of the root folder can change everything anyway. In a container that may be a user without a name. */
function isTrusted(uid: number): boolean {
  return uid === user() || uid === 0 || uid === lstatSync(sep).uid;
}

/** @throws NotPrivate for the path of another user, but for root and for the owner of the root folder, who can change everything anyway */
export function checkOwner(path: string, uid: number): void {
  if (user() !== undefined && !isTrusted(uid)) throw new NotPrivate(`${path} belongs to another user`);
}

/** A file that was created with `sudo` can be taken back. Root must not take files from other users. */
export function belongsToAnother(path: string): NotPrivate {
  const command = user() === 0 ? undefined : ['sudo', 'chown', String(user()), path];
  return new NotPrivate(`${path} belongs to another user`, command);
}

/** A parent of our folders may be writable for its group, but no other user may be able to replace our folder. */
function checkAbove(path: string, {uid, mode}: Stats): void {
  checkOwner(path, uid);
  if ((mode & writableByAll) !== 0 && (mode & sticky) === 0) {
    throw new NotPrivate(`${path} is writable by everybody`, ['chmod', 'o-w', path]);
  }
}

/** Closes one of our own folders to others. @returns the permissions that they had, as mode bits */
function closeFolder(path: string, {uid, mode}: Stats): number {
  if (uid !== user()) throw belongsToAnother(path);
  if ((mode & forOthers) === 0) return 0;
  // A folder such as /tmp is shared on purpose.
  if ((mode & sticky) !== 0) throw new NotPrivate(`${path} is shared by all users`);
  try {
    chmodSync(path, forOwner);
  } catch {
    throw new NotPrivate(`Others can read or change ${path}`, ['chmod', '700', path]);
  }
  return mode & forOthers;
}

interface Step {
  readonly name: string;
  readonly isOwn: boolean;
  /** The link whose target has it. The target of a link is not created: a disk may not be mounted. */
  readonly link: string | undefined;
}

const stepsIn = (path: string, own: number, link?: string): Step[] =>
  namesIn(path).map((name, index, {length}) => ({name, isOwn: index >= length - own, link}));

/** Walks down a path, follows links, and checks every folder. @param own how many of the last names are our own */
function descend(folder: string, own: number, make: boolean): {readonly openTo: number} | undefined {
  let [at, openTo, links]: [string, number, number] = [sep, 0, 0];
  const left = stepsIn(folder, own);
  for (let step = left.shift(); step !== undefined; step = left.shift()) {
    const {name, isOwn, link} = step;
    const path = name === '..' ? dirname(at) : join(at, name);
    const found = lstatSync(path, {throwIfNoEntry: false}) ?? (make && link === undefined ? newFolder(path) : undefined);
    if (found === undefined && make) throw codedError('ENOENT', `${link} is a link to nothing`);
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) {
      checkOwner(path, found.uid);
      links += 1;
      if (links > maxLinks) throw codedError('ELOOP', `${path} is a link that leads to itself`);
      const target = readlinkSync(path);
      if (isAbsolute(target)) at = sep;
      left.unshift(...stepsIn(target, isOwn ? 1 : 0, path));
      continue;
    }
    if (!found.isDirectory()) throw codedError('ENOTDIR', `${path} is not a folder`);
    if (name !== '..' && isOwn) openTo |= closeFolder(path, found);
    else if (name !== '..') checkAbove(path, found);
    at = path;
  }
  return {openTo};
}

const namesIn = (path: string): string[] => path.split(sep).filter((name) => name !== '' && name !== '.');

/** Creates a folder for the owner alone, whatever the umask. */
function newFolder(path: string): Stats {
  try {
    mkdirSync(path, forOwner);
    chmodSync(path, forOwner);
  } catch (error) {
    // Another process may have created the folder.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return lstatSync(path);
}

/** @throws NotPrivate for a file that another user owns, or that everybody can change */
export function checkUntouched(path: string, {uid, mode}: Stats): void {
  if (user() === undefined) return;
  checkOwner(path, uid);
  if ((mode & writableByAll) !== 0) throw new NotPrivate(`Everybody can change ${path}`, ['chmod', 'o-w', path]);
}

interface OwnFolderOptions {
  /** How many of the last names of the path are our own: 0 for a folder of the user's that contains our files. 1 by default. */
  readonly own?: number;
  /** Whether missing folders are created, for the owner alone. */
  readonly make: boolean;
}

/**
 * Makes sure that nobody else can write to a folder or replace it. Our own folders are set to 0700. Their parents must belong to this
 * user or root, and must not be writable by everybody unless they are sticky, as /tmp is.
 * @returns the permissions that others had, as mode bits; undefined when it does not exist
 * @throws NotPrivate when it is not safe; the system's error when it cannot be created or checked
 */
export function secureFolder(folder: string, {own = 1, make}: OwnFolderOptions): {readonly openTo: number} | undefined {
  const path = resolve(folder);
  if (user() === undefined) {
    if (make) mkdirSync(path, {recursive: true});
    return lstatSync(path, {throwIfNoEntry: false}) && {openTo: 0};
  }
  checkAbove(sep, lstatSync(sep));
  return descend(path, own, make);
}

/** The user's home. An empty or relative name does not count: it would be the working folder. */
function findHome(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const named = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  if (named !== undefined) return isAbsolute(named) ? named : undefined;
  try {
    return homedir();
  } catch {
    // The system does not know the user.
    return undefined;
  }
}

/**
 * Sets HOME and SHELL for a user whom the system does not know, as in a container that runs as an arbitrary number. Libraries that
 * ask for them when they are loaded would fail.
 */
export function settleUnknownUser(environment: NodeJS.ProcessEnv): void {
  if (environment['HOME'] !== undefined && environment['SHELL'] !== undefined) return;
  try {
    userInfo();
  } catch {
    environment['HOME'] ??= '';
    environment['SHELL'] ??= '';
  }
}

interface FolderOptions {
  readonly platform?: NodeJS.Platform;
}

/** The folder that a variable names, otherwise one in the user's home. XDG says to ignore a relative path. */
function folderOf(environment: Environment, platform: NodeJS.Platform, variable: string, below: readonly string[]): string | undefined {
  const named = environment[variable] ?? '';
  if (isAbsolute(named)) return named;
  const home = findHome(environment, platform);
  return home === undefined ? undefined : join(home, ...below);
}

const windowsFolder = ['LOCALAPPDATA', ['AppData', 'Local']] as const;

/**
 * The folder of profiles and secrets: `PIXELCTL_CONFIG_DIR`, otherwise the system's default. It need not exist.
 * @returns undefined for a user without a home
 */
export function configFolder(environment: Environment, {platform = process.platform}: FolderOptions = {}): string | undefined {
  const named = environment['PIXELCTL_CONFIG_DIR'] ?? '';
  if (named !== '') return resolve(named);
  const usual = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const [variable, below] = platform === 'win32' ? windowsFolder : ['XDG_CONFIG_HOME', usual];
  const folder = folderOf(environment, platform, variable, below);
  return folder === undefined ? undefined : join(folder, 'pixelctl');
}

export const profilesFile = (folder: string): string => join(folder, 'profiles.json');

/** The folder of caches. It need not exist. @returns undefined for a user without a home */
export function cacheFolder(environment: Environment, {platform = process.platform}: FolderOptions = {}): string | undefined {
  const [variable, below] = platform === 'win32' ? windowsFolder : ['XDG_CACHE_HOME', ['.cache']];
  const folder = folderOf(environment, platform, variable, below);
  return folder === undefined ? undefined : join(folder, 'pixelctl');
}

/** Compiled code is stored where `NODE_COMPILE_CACHE` says, otherwise in our cache folder. */
function compileFolder(environment: Environment): {readonly folder: string; readonly own: number} | undefined {
  const named = environment['NODE_COMPILE_CACHE'] ?? '';
  if (named !== '') return isAbsolute(named) ? {folder: named, own: 1} : undefined;
  const cache = cacheFolder(environment);
  return cache === undefined ? undefined : {folder: join(cache, 'compiled'), own: 2};
}

/**
 * Removes compiled code that others may have written. Node uses a folder for each of its versions.
 * @param wasOpen whether others could write to the folder
 */
function discardForeign(folder: string, wasOpen: boolean): void {
  if (user() === undefined) return;
  for (const name of readdirSync(folder)) {
    if (!/^v\d+\./.test(name)) continue;
    const path = join(folder, name);
    const {uid, mode} = lstatSync(path);
    if (!wasOpen && uid === user() && (mode & writableByOthers) === 0) continue;
    rmSync(path, {recursive: true, force: true});
    // Node may be using the folder already.
    mkdirSync(path, forOwner);
  }
}

/**
 * Enables the compile cache, unless others could write to it: compiled code is executed unchecked.
 * @returns false when Node has already enabled it (`NODE_COMPILE_CACHE`) although it must not be used
 */
export function useCompileCache(environment: Environment): boolean {
  const isOnAlready = getCompileCacheDir() !== undefined && (environment['NODE_COMPILE_CACHE'] ?? '') !== '';
  if (isOnAlready && user() === undefined) return true;
  try {
    const found = compileFolder(environment);
    if (found === undefined) return !isOnAlready;
    const {folder, own} = found;
    const {openTo = 0} = secureFolder(folder, {own, make: true}) ?? {};
    discardForeign(folder, (openTo & writableByOthers) !== 0);
    // Node creates folders and files in the cache, now and at exit.
    const before = process.umask(forOthers);
    enableCompileCache(folder);
    process.umask(before);
    process.on('exit', () => process.umask(forOthers));
    return true;
  } catch {
    return !isOnAlready;
  }
}
