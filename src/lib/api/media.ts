/** Uploads, which the API description leaves out: a message's media are sent to the server before the message. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {identifier} from './entities.js';
import {field} from './field.js';

export const uploadMedia = endpoint({
  name: 'upload media',
  section: null,
  method: 'POST',
  path: '/api/v2/media',
  scope: 'write',
  body: {file: field(z.string(), 'path of the image or video to upload')},
  files: ['file'],
  output: z.looseObject({id: identifier}),
  repeat: 'never',
  undoneBy: null,
});
