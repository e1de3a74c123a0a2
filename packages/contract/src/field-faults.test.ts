/**
 * Every rule of the contract refuses a field with a code and the parameters that FIELD_FAULTS
 * declares.
 */
import { describe, expect, it } from 'vitest';
import { contract, FIELD_FAULTS, type FieldFault, fieldFaultsOf, type Operation } from './index.ts';

type Schema = NonNullable<Operation['body']>;
/** A schema, or a check of one. */
interface Part {
  _zod: { def: { type?: string; check?: string; params?: { code?: unknown } } };
}

const WRONG = [
  undefined,
  null,
  true,
  0.5,
  -1e15,
  1e15,
  '',
  'names',
  'two\nlines',
  'Not/a name',
  'x'.repeat(20_000),
  [],
  Array.from({ length: 2_000 }, () => 'x'),
  {},
  { unknown: 1 },
];

const operations: Operation[] = Object.values(contract).flatMap((each) => Object.values(each));
const parts = new Set<Part>();
for (const { query, body } of operations) collect([query, body]);

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isPart(value)) {
    for (const each of Object.values(value)) collect(each);
  } else if (!parts.has(value)) {
    parts.add(value);
    collect(value._zod.def);
  }
}

function isPart(value: object): value is Part {
  return '_zod' in value;
}

function isSchema(part: Part): part is Part & Schema {
  return 'safeParse' in part && !['custom', 'transform'].includes(part._zod.def.type ?? '');
}

function faultsOf(schema: Schema, value: unknown): FieldFault[] {
  const { error } = schema.safeParse(value, { reportInput: true });
  return error?.issues.flatMap(fieldFaultsOf) ?? [];
}

const provoked = [...parts]
  .filter(isSchema)
  .flatMap((schema) => WRONG.flatMap((value) => faultsOf(schema, value)));

/** Only `.refine` has a definition; the issues of `.superRefine` are provoked below. */
const rules = [...parts].map(({ _zod: { def } }) => def).filter(({ type }) => type === 'custom');

describe('a field that the contract refuses', () => {
  it('has a code with the parameters that are declared for it', () => {
    const found = new Set(provoked.map(({ code }) => code));
    expect(found).toContain('REQUIRED');
    expect(found).toContain('FOLDER_NAME_RESERVED');
    const undeclared = provoked.filter(
      ({ code, params }) => String(Object.keys(params)) !== String(Reflect.get(FIELD_FAULTS, code)),
    );
    expect(undeclared).toEqual([]);
  });

  it('has a declared code for each custom rule', () => {
    expect(rules.length).toBeGreaterThan(15);
    const codes = rules.map(({ params }) => params?.code);
    expect(codes.filter((code) => !Object.hasOwn(FIELD_FAULTS, String(code)))).toEqual([]);
  });

  const { auth, users, folders, groups, staging, registries, tokens } = contract;
  it.each<[string, Operation, unknown, object[]]>([
    ['an absent field', auth.login, { username: 'a' }, [{ path: 'password', code: 'REQUIRED' }]],
    [
      'another type',
      auth.login,
      { username: 1, password: 'x' },
      [{ path: 'username', code: 'WRONG_TYPE', params: { expected: 'string' } }],
    ],
    [
      'a short text',
      users.create,
      { username: 'ann', password: 'x' },
      [{ path: 'password', code: 'TOO_SHORT', params: { minimum: 12 } }],
    ],
    [
      'a text that is not an e-mail address',
      users.create,
      { username: 'ann', password: 'long enough 1', email: 'not-an-address' },
      [{ path: 'email', code: 'EMAIL_INVALID', params: {} }],
    ],
    [
      'an undeclared field',
      groups.createGroup,
      { name: 'a', nmae: 'b' },
      [{ path: 'nmae', code: 'UNKNOWN_FIELD' }],
    ],
    ['two lines', groups.createGroup, { name: 'a\nb' }, [{ path: 'name', code: 'NOT_ONE_LINE' }]],
    [
      'a reserved name',
      folders.createFolder,
      { name: 'names' },
      [{ path: 'name', code: 'FOLDER_NAME_RESERVED' }],
    ],
    [
      'half of the credentials',
      staging.pull,
      { image: 'a', tag: 'b', source_registry_host: 'h', source_registry_username: 'u' },
      [{ path: 'source_registry_password', code: 'CREDENTIALS_INCOMPLETE' }],
    ],
    [
      'an entry of the alternative that was given',
      tokens.create,
      { name: 'a', scope: { registry: true, actions: ['pull', 'fly'] } },
      [{ path: 'scope.actions.1', code: 'NOT_A_CHOICE' }],
    ],
    [
      'a value that is none of the alternatives',
      tokens.create,
      { name: 'a', scope: 5 },
      [{ path: 'scope', code: 'INVALID' }],
    ],
    [
      'a password without a username',
      registries.probeRegistry,
      { host: 'h', password: 'p' },
      [{ path: 'username', code: 'USERNAME_REQUIRED' }],
    ],
  ])('%s is named by path and code', (_, { body }, value, expected) => {
    expect(body && faultsOf(body, value)).toMatchObject(expected);
  });
});
