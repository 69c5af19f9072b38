/** Profiles for tests. */
import type {Profile} from '../../../src/lib/auth/profile.js';

export const ana: Omit<Profile, 'storage'> = {
  name: 'ana@pix.example',
  server: 'https://pix.example',
  account: {id: '17', acct: 'ana'},
  scopes: ['read', 'write'],
  expiresAt: '2027-01-01T00:00:00.000Z',
  isProtected: false,
  isAdmin: false,
  client: {id: 'client-1'},
};

export const named = (name: string): Omit<Profile, 'storage'> => ({...ana, name});
