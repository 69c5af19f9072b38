/** Chooses the server and the account of a run. Other rooms import from here alone; what only some runs need, they import late, from its own file. */

// Which token goes to which server.
export {
  type AdminAccess,
  hasAdminScopes,
  identify,
  type Identity,
  type IdentityRequest,
  accountOfProfile,
  profileInUse,
  type ProfileSource,
  selectedProfileName,
  withOwnHost,
} from './identity.js';
export {parseServer} from './server-address.js';
export {definesProfiles, tokenVariable, type TokenVariable, tokenVariableOf} from './environment.js';
export {adminScopes, claimsOf, defaultScopes, missingScopes, type TokenClaims} from './token.js';

// Profiles, and signing in to make them.
export type {KnownProfiles, Profile, Storage} from './profile.js';
export type {ProfileStore} from './profile-store.js';
export {keyringProblem} from './keyring.js';
export type {SignIn} from './sign-in.js';
