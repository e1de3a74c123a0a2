/** Length of new passwords. A login accepts any length, because older passwords may differ. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/** Prefix of the Redis keys that count failed logins. The api counts; a reset clears an account. */
export const GUESSES_PREFIX = 'portcullis:budget:guesses:';

/** Key below the prefix, for failed logins of an account from any address. */
export function guessesOf(username: string): string {
  return `account:${username.normalize('NFKC').toLowerCase()}`;
}
