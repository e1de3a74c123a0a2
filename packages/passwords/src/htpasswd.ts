/** Makes an entry of an htpasswd file for the built-in registry. */
import bcrypt from 'bcryptjs';

/**
 * bcrypt's lowest cost: the registry checks the hash at every request, and a random password of 24
 * bytes cannot be guessed.
 */
const COST = 4;

/** @param password a random one, of at most the 72 bytes that bcrypt reads */
export async function htpasswdLine(username: string, password: string): Promise<string> {
  return `${username}:${await bcrypt.hash(password, COST)}\n`;
}
