/** What a finished story has made, so that the next run goes on with it. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const Login = z.strictObject({ username: z.string(), password: z.string() });
export type Login = z.infer<typeof Login>;

const Logins = z.strictObject({
  administrator: Login,
  developer: Login,
  reviewer: Login,
  /** Its password is a token. */
  robot: Login,
});
export type Logins = z.infer<typeof Logins>;

const State = z.strictObject({
  /** Of the source registry: the saved registry of the product names it. */
  sourcePort: z.number().int(),
  logins: Logins,
  /** Paths of the page, each with what it shows. */
  pages: z.array(z.strictObject({ path: z.string(), shows: z.string() })),
});
export type State = z.infer<typeof State>;
export type ShownPage = State['pages'][number];

/** Null where no story has finished. */
export async function readState(file: string): Promise<State | null> {
  try {
    return State.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

export function writeState(file: string, state: State): Promise<void> {
  return writeFile(file, JSON.stringify(state), { mode: 0o600 });
}

/** The token of the robot is made by the product. */
export function newLogins(): Omit<Logins, 'robot'> {
  const login = (username: string) => ({
    username,
    password: `${username}-${randomBytes(9).toString('base64url')}`,
  });
  return { administrator: login('admin'), developer: login('dana'), reviewer: login('rita') };
}
