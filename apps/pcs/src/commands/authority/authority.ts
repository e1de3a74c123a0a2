/** `pcs authority`: whose signatures policies may ask for. */
import type { Result } from '@portcullis/command';
import type { AuthorityList, AuthorityView } from '@portcullis/contract';
import { invalid } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../../command.ts';
import { set } from './set.ts';

const ACTIONS: Record<string, (call: PcsCall, word: string) => Promise<Result>> = {
  show,
  set,
  remove,
};

export const authority: PcsCommand = {
  name: 'authority',
  words: ['<list|show|set|remove>', '[name or file]'],
  summary: 'whose signatures policies may ask for',
  help: [
    '`authority show <name>` prints an authority as a JSON file that `set` reads.',
    '`authority set <file>` creates the authority that the file names, or replaces it; for administrators. The same terms',
    'make no version. `authority set cosign.pub --name release` takes a file of public keys in PEM.',
    '`authority remove <name>` deletes one that no policy names.',
  ],
  options: { name: { type: 'string', help: 'the name of the authority of a file of public keys' } },
  async run(call) {
    const [action = '', word] = call.words;
    if (action === 'list' && word === undefined) return list(call);
    const act = ACTIONS[action];
    if (act === undefined || word === undefined)
      throw invalid('USAGE', 'usage: pcs authority list, show|remove <name>, or set <file>');
    return act(call, word);
  },
};

async function list(call: PcsCall): Promise<Result> {
  const found = await (await call.api()).call('authorities.listAuthorities');
  const none = ['There is no authority: policies can ask for no signatures.'];
  const lines = found.items.length === 0 ? none : found.items.map(lineOf);
  return { lines: [...lines, ...rootLines(found)], facts: found };
}

function lineOf({ name, version, kind, signers, issuer }: AuthorityView): string {
  const whose = issuer === null ? signers : [...signers, `by ${issuer}`];
  return `${name}: version ${version}, ${kind} ${whose.join(', ')}`;
}

function rootLines({ items, sigstore_root: root }: AuthorityList): string[] {
  if (!items.some((item) => item.shipped_root)) return [];
  const line = `The root of the public Sigstore is of ${root.date}`;
  return [
    root.is_old
      ? `${line}, over a year old: signatures of later logs do not count. Upgrade, or give an own root.`
      : `${line}.`,
  ];
}

async function show(call: PcsCall, name: string): Promise<Result> {
  const params = { name };
  const { terms } = await (await call.api()).call('authorities.getAuthority', { params });
  const document = { name, ...terms };
  return { lines: JSON.stringify(document, null, 2).split('\n'), facts: document };
}

async function remove(call: PcsCall, name: string): Promise<Result> {
  await (await call.api()).call('authorities.removeAuthority', { params: { name } });
  return { lines: [`${name}: removed`], facts: { name, outcome: 'removed' } };
}
