/** The files of photos and videos, which anybody can fetch who knows their address. */
import {bytesOf} from '../media.js';
import {abort} from '../refusal.js';
import {openRoute, type Route} from '../route.js';

export const routes: readonly Route[] = [
  openRoute({method: 'GET', path: '/storage/m/_v2/{owner}/{file}', scope: null}, ({world, part}) => {
    const medium = world.media.get(Number.parseInt(part('file'), 10));
    if (medium === undefined || medium.owner !== part('owner')) throw abort(404);
    return {file: bytesOf(medium), headers: {'content-type': medium.mime}};
  }),
];
