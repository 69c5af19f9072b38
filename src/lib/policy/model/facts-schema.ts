/** What is said of a domain, in what is printed. */
import * as z from 'zod/mini';
import {field, once} from '../../api/schema.js';
import {severities} from './severity.js';

/** Pixelfed keeps only the domain: the rest is for people, and for lists for other tools. */
export const domainFacts = once(() =>
  z.strictObject({
    severity: z.optional(z.enum(severities)),
    public_comment: z.optional(z.string()),
    private_comment: z.optional(field(z.string(), 'printed with --show-private alone')),
    reject_media: z.optional(z.boolean()),
    reject_reports: z.optional(z.boolean()),
    obfuscate: z.optional(field(z.boolean(), 'whether servers that publish the block mask the domain')),
  }),
);
