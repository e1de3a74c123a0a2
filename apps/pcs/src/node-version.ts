/**
 * The Node that runs the command. npm only warns about `engines`, and not with `--silent`; so the
 * bundle has to start on an older one: what Node 18 lacks is not imported by name.
 */
import { type AppError, invalid } from '@portcullis/errors';

/** As `engines` in package.json. */
const OLDEST = { major: 22, minor: 15 };

/** Null where this version runs the command. */
export function nodeFault(version: string): AppError | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return null;
  return invalid(
    'NODE_TOO_OLD',
    `this is Node ${version}; pcs needs ${OLDEST.major}.${OLDEST.minor} or newer. Install it from https://nodejs.org, or run pcs with another one: node_modules/.bin/node of a checkout that has run "npm start", or that of the worker's image`,
  );
}
