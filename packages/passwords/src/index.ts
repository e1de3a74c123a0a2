/** The only one that knows bcrypt: how passwords of accounts are kept and compared. */
export { htpasswdLine } from './htpasswd.ts';
export { createPasswords, type Passwords } from './passwords.ts';
