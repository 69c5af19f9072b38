/** Around the API description: uploads for messages. */
import {uploadMedia} from '../../api/internal.js';
import {uploadedMedium} from '../payload/media.js';
import {abort} from '../refusal.js';
import {route, type Route} from '../route.js';
import {max, required, validate} from '../rules.js';
import {fileKilobytes, mimeOf} from '../uploads.js';

export const mediaRoutes: readonly Route[] = [
  route(uploadMedia, async ({world, fields, viewer}) => {
    validate(fields, {file: [required, max(fileKilobytes)]});
    const {file} = fields;
    const mime = file instanceof File ? await mimeOf(file) : null;
    if (mime === null) throw abort(403, 'Invalid or unsupported mime type.');
    // Accepted, not done: photos are looked at later.
    return {
      status: 202,
      body: uploadedMedium(world, world.addMedium(viewer.id, mime, false, new Date())),
      style: {plainSlashes: true},
    };
  }),
];
