/** How long a new password is. Logging in takes any: there may be older ones. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/** Keys in Redis under which wrong passwords are counted: the api counts them, a reset forgets an account's. */
export const GUESSES_PREFIX = 'portcullis:budget:guesses:';

/** Below the prefix; wherever the guesses come from. */
export function guessesOf(username: string): string {
  return `account:${username.normalize('NFKC').toLowerCase()}`;
}
