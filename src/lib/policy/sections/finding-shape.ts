/** Differences in JSON as they are read again, by plan files and later audits. */
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {findingSchema} from '../model/documents.js';
import type {Kind} from '../model/difference.js';
import {sectionKinds} from './index.js';

export const findingKinds: readonly Kind[] = [...sectionKinds, 'unchecked' as const].sort();

export const findingShape = once(() => ({...findingSchema().shape, kind: z.enum(findingKinds)}));
