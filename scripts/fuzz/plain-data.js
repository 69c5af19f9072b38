import {Wrong} from './judge.js';

/** Checks that a result is data alone: what JSON can hold, and dates. @throws Wrong */
export function dataOf(value, path = '') {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return;
  if (typeof value !== 'object') throw new Wrong(`${path} is ${typeof value === 'number' ? value : `a ${typeof value}`}`);
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) throw new Wrong(`${path} is no plain object`);
  for (const [name, inner] of Object.entries(value)) dataOf(inner, `${path}.${name}`);
}
