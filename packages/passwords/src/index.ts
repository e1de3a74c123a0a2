/** Hashing and verification of account passwords: the only package that uses bcrypt. */
export { htpasswdLine } from './htpasswd.ts';
export { createPasswords, type Passwords } from './passwords.ts';
