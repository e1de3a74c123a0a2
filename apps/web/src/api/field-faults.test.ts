import { contract, type Operation } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { fieldFault } from './field-faults.ts';

const { auth, users, folders, groups, tokens, staging } = contract;

/** Bodies that are wrong, and so what the schemas themselves say of them. */
const WRONG: [Operation, unknown][] = [
  [auth.login, { username: 1 }],
  [users.create, { username: ' ', password: 'x', email: 'nobody' }],
  [folders.createFolder, { name: 'Not/a name' }],
  [folders.createFolder, { name: 'names' }],
  [groups.createGroup, { name: 'two\nlines' }],
  [groups.createGroup, { name: '' }],
  [tokens.create, { name: 'x'.repeat(1_000), scope: 'all', expires_in_days: 0 }],
  [
    staging.pull,
    { image: 'UPPER', tag: '-x', platforms: ['nonsense'], source_registry_host: 'a b' },
  ],
  [
    staging.pull,
    { image: 'a', tag: 'b', source_registry_host: 'h', source_registry_username: 'u' },
  ],
];

describe('what the server says of a field', () => {
  it.each(WRONG.map(([operation, body]) => [operation.path, body, operation] as const))(
    '%s: what is said of %o',
    (_, body, { body: schema }) => {
      const messages = schema?.safeParse(body).error?.issues.map(({ message }) => message) ?? [];
      expect(messages).not.toEqual([]);
      for (const message of messages) {
        const [en, fr, de] = [
          fieldFault(message, 'en'),
          fieldFault(message, 'fr'),
          fieldFault(message, 'de'),
        ];
        expect(new Set([en, fr, de, message]).size, message).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it.each([
    ['Too small: expected string to have >=12 characters', 'de', 'Mindestens 12 Zeichen.'],
    ['There is no folder team.', 'fr', 'Il n’y a pas de dossier team.'],
    ['it may run every 60 s at most', 'de', 'Höchstens alle 60 s.'],
    [
      'a repository path in lower case, without a host',
      'fr',
      'Un chemin de dépôt en minuscules, sans hôte, étiquette ni empreinte, 255 caractères au plus.',
    ],
    ['braces of "{a,b" don\'t pair', 'fr', 'Les accolades de « {a,b » ne vont pas par paires.'],
    [
      'error parsing regexp: missing closing ): `(`',
      'de',
      'Dieser Ausdruck ergibt ab „(“ keinen Sinn.',
    ],
    ['something new', 'de', 'something new'],
  ] as const)('%s, in %s: %s', (message, language, told) => {
    expect(fieldFault(message, language)).toBe(told);
  });
});
