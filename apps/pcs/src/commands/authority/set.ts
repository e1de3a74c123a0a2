/** `pcs authority set`: saves an authority from a file. */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '@portcullis/command';
import { type AuthorityDetail, NewAuthority } from '@portcullis/contract';
import { invalid, isAppError } from '@portcullis/errors';
import type { PcsCall } from '../../command.ts';

type Api = Awaited<ReturnType<PcsCall['api']>>;

export async function set(call: PcsCall, file: string): Promise<Result> {
  const { name, ...terms } = await documentOf(call, file);
  const api = await call.api();
  const before = await find(api, name);
  const outcome = outcomeOf(before, terms);
  const version =
    outcome === 'unchanged'
      ? before?.version
      : (await save(api, { name, ...terms }, before)).version;
  return {
    lines: [`${name}: ${outcome}, version ${version}`],
    facts: { name, outcome, version },
  };
}

function outcomeOf(before: AuthorityDetail | null, terms: object) {
  if (before === null) return 'created';
  return isDeepStrictEqual(before.terms, terms) ? 'unchanged' : 'changed';
}

async function documentOf(call: PcsCall, file: string): Promise<NewAuthority> {
  const text = await readFile(file, 'utf8');
  const name = call.value('name');
  const isPem = text.trimStart().startsWith('-----BEGIN ');
  if (isPem && name === undefined)
    throw invalid('USAGE', 'name the authority of these keys with --name');
  const given = isPem ? { name, kind: 'key', keys: text } : jsonOf(file, text);
  const parsed = NewAuthority.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the document'}: ${message}`,
  );
  throw invalid('AUTHORITY_INVALID', `${file} is not an authority: ${faults.join('; ')}`);
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('AUTHORITY_INVALID', `${file} is not JSON`);
  }
}

async function find(api: Api, name: string): Promise<AuthorityDetail | null> {
  try {
    return await api.call('authorities.getAuthority', { params: { name } });
  } catch (error) {
    if (isAppError(error) && error.code === 'AUTHORITY_UNKNOWN') return null;
    throw error;
  }
}

function save(api: Api, { name, ...terms }: NewAuthority, before: AuthorityDetail | null) {
  if (before === null) return api.call('authorities.createAuthority', { body: { name, ...terms } });
  const body = { version: before.version, ...terms };
  return api.call('authorities.replaceAuthority', { params: { name }, body });
}
