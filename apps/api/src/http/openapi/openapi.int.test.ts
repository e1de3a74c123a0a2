/** The OpenAPI document and the server agree. */
import { json, refusal } from '@portcullis/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';
import { openApiDocument } from './openapi.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];
const document = openApiDocument('1.0.0');
const paths = Object.keys(document.paths ?? {});
const find = (path: string, method: Method) => document.paths?.[path]?.[method];
const documented = paths.flatMap((path) =>
  METHODS.filter((method) => find(path, method)).map((method) => ({ method, path })),
);

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ SWAGGER_ENABLED: 'true' });
});
afterAll(() => api?.stop());

const ID = '0199d1f0-0000-7000-8000-000000000000';

function ask(method: string, path: string): Promise<Response> {
  const filled = path.replaceAll(/\{\w+\}/g, ID);
  return fetch(`${api.url}/api${filled}`, { method: method.toUpperCase(), redirect: 'manual' });
}

async function codeOf(answer: Response): Promise<string | null> {
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) {
    await answer.body?.cancel();
    return null;
  }
  return (await refusal(answer)).code;
}

function codesIn(description: string): string[] {
  return [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? '');
}

describe('the server does what the document says', () => {
  it.each(documented)(
    '$method $path answers, and as documented without a credential',
    async ({ method, path }) => {
      const operation = find(path, method);
      const answer = await ask(method, path);
      const code = await codeOf(answer);
      expect(code).not.toBe('ROUTE_UNKNOWN');
      if (operation?.security?.length !== 0)
        expect([answer.status, code]).toEqual([401, 'CREDENTIAL_MISSING']);
      const described = operation?.responses?.[String(answer.status)];
      if (!described || '$ref' in described)
        throw new Error(`${answer.status} ${code} is not in the document`);
      if (code !== null) expect(codesIn(described.description)).toContain(code);
    },
  );

  const others = paths.flatMap((path) =>
    METHODS.filter((method) => !find(path, method)).map((method) => ({ method, path })),
  );
  it.each(others)('$method $path is not there', async ({ method, path }) => {
    const answer = await ask(method, path);
    expect([answer.status, await codeOf(answer)]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });

  it.each(paths)('OPTIONS %s names the methods of the document', async (path) => {
    const answer = await ask('options', path);
    const methods = METHODS.filter((method) => find(path, method)).map((method) =>
      method.toUpperCase(),
    );
    const named = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      204,
      named.toSorted().join(', '),
    ]);
  });
});

describe('the document', () => {
  it('C4: has regular expressions that JavaScript, Python and RE2 read alike', () => {
    const patterns = new Set<string>();
    JSON.parse(JSON.stringify(document), (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(15);
    expect([...patterns].filter((pattern) => /\\[pPukb]|\(\?(?!:)/.test(pattern))).toEqual([]);
  });

  it('C4: requires the body of every operation that has one', () => {
    const bodies = documented.flatMap((at) => {
      const body = find(at.path, at.method)?.requestBody;
      return body && !('$ref' in body) ? [body.required] : [];
    });
    expect(new Set(bodies)).toEqual(new Set([true]));
  });

  it('is valid OpenAPI 3.1, as it is served', async () => {
    const answer = await fetch(`${api.url}/api/openapi.json`);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const served = await json(answer);
    expect(await new Validator().validate(served)).toEqual({ valid: true });
    expect(served.openapi).toBe('3.1.0');
  });

  it('declares the ways to authenticate, and public operations', () => {
    expect(document.components?.securitySchemes).toMatchObject({
      PersonalAccessToken: { type: 'http', scheme: 'bearer' },
      SessionCookie: { type: 'apiKey', in: 'cookie', name: 'pc_token' },
    });
    expect(find('/health', 'get')?.security).toEqual([]);
    expect(find('/folders', 'post')?.security).toBeUndefined();
  });

  it('leaves out /v2, and gives every operation a tag, a summary and an id of its own', () => {
    expect(paths.filter((path) => path.includes('v2'))).toEqual([]);
    const operations = documented.map(({ path, method }) => find(path, method));
    expect(new Set(operations.map((one) => one?.operationId)).size).toBe(operations.length);
    expect(operations.filter((one) => !one?.summary || one.tags?.length !== 1)).toEqual([]);
  });

  it('says which fields must be sent, and which need not', () => {
    const schema = document.components?.schemas?.PullRequest;
    expect(schema).toMatchObject({
      type: 'object',
      required: ['image', 'tag'],
      additionalProperties: false,
      properties: { image: { pattern: expect.stringContaining('[a-z0-9]'), maxLength: 255 } },
    });
  });
});

describe('the page', () => {
  it('loads only its own scripts, under a policy that allows no other', async () => {
    const answer = await fetch(`${api.url}/api/docs`);
    expect([answer.status, answer.url]).toEqual([200, `${api.url}/api/docs/`]);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('upgrade-insecure-requests');
    const html = await answer.text();
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts.filter(([, , inline]) => inline?.trim())).toEqual([]);
    const files = [...html.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect([file, (await fetch(new URL(file, answer.url))).status]).toEqual([file, 200]);
    const init = await (await fetch(`${answer.url}swagger-ui-init.js`)).text();
    expect(init).toContain('/api/openapi.json');
  });

  it.each(['/api/docs', '/api/docs/', '/api/docs/swagger-ui.css', '/api/openapi.json'])(
    '%s is a JSON 404 unless it is switched on',
    async (path) => {
      const bare = await startApi({}, api);
      const answer = await fetch(bare.url + path);
      expect([answer.status, await codeOf(answer)]).toEqual([404, 'ROUTE_UNKNOWN']);
      await bare.stop();
    },
  );

  it('what it has no file for is a JSON 404', async () => {
    const answer = await fetch(`${api.url}/api/docs/none.js`);
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'ROUTE_UNKNOWN']);
  });
});
