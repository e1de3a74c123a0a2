/** Generates the OpenAPI 3.1 document from the contract. */
import * as described from '@portcullis/contract';
import {
  type Contract,
  contract,
  faultsOf,
  type Operation,
  Problem,
  TEXT,
} from '@portcullis/contract';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;
type Responses = ZodOpenApiOperationObject['responses'];
type Response = NonNullable<Responses[`2${string}`]>;

const STRING = { type: 'string' } as const;
const PERSONAL_TOKEN = 'PersonalAccessToken';
const SESSION_COOKIE = 'SessionCookie';

export function openApiDocument(version: string): Document {
  nameSchemas();
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Portcullis',
      version,
      description:
        'A gate for container images. Errors are RFC 9457 problems: their `code` is stable, their `request_id` leads to the log.',
    },
    servers: [{ url: '/api' }],
    tags: Object.keys(contract).map((name) => ({ name })),
    security: [{ [PERSONAL_TOKEN]: [] }, { [SESSION_COOKIE]: [] }],
    paths: pathsOf(contract),
    components: {
      schemas: { Problem },
      headers: {
        RequestId: { schema: STRING, description: 'Of this request, in logs and the audit log.' },
        NextPage: {
          schema: STRING,
          description: 'RFC 8288: `rel="next"`, where there is a next page.',
        },
        TotalCount: { schema: { type: 'integer' }, description: 'Where it is cheap to tell.' },
        Challenge: { schema: STRING },
        RetryAfter: { schema: { type: 'integer' }, description: 'In seconds.' },
      },
      securitySchemes: {
        [PERSONAL_TOKEN]: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal access token with the scope `api`, or the `access_token` of a login.',
        },
        [SESSION_COOKIE]: { type: 'apiKey', in: 'cookie', name: 'pc_token' },
      },
    },
  };
  return createDocument(document, { override: sayText });
}

/** Texts without a grammar exclude the characters that no database column can store. */
const sayText: CreateDocumentOptions['override'] = ({ jsonSchema, io }) => {
  const { type, pattern, format } = jsonSchema;
  const isFree = type === 'string' && pattern === undefined && format === undefined;
  if (io === 'input' && isFree && jsonSchema.enum === undefined && jsonSchema.const === undefined)
    jsonSchema.pattern = TEXT;
};

/**
 * Schemas get the names of the contract's exports; others are inlined. zod-openapi reads names from
 * zod's global registry only, which has no other use here.
 */
function nameSchemas(): void {
  const used = new Set(
    Object.values<Contract>(contract)
      .flatMap(Object.values<Operation>)
      .flatMap(bodiesOf),
  );
  for (const [id, schema] of Object.entries<unknown>(described))
    if (schema instanceof z.ZodType && used.has(schema))
      z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}

function bodiesOf({ body, success }: Operation): z.ZodType[] {
  const sent = 'body' in success ? success.body : undefined;
  const item = sent instanceof z.ZodArray ? sent.element : undefined;
  return [body, sent, item].filter((schema) => schema instanceof z.ZodType);
}

function pathsOf(groups: Record<string, Contract>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [group, operations] of Object.entries(groups))
    for (const [name, operation] of Object.entries(operations))
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method]: describe(group, name, operation),
      };
  return paths;
}

function describe(group: string, name: string, operation: Operation): ZodOpenApiOperationObject {
  const { summary, access, body, form } = operation;
  return {
    operationId: `${group}_${name}`,
    tags: [group],
    summary,
    ...(access === 'admin' && { description: 'For administrators.' }),
    ...(access === 'public' && { security: [] }),
    requestParams: parametersOf(operation),
    ...(body && {
      requestBody: { required: true, content: contentOf(body, form) },
    }),
    responses: { ...successOf(operation), ...failuresOf(operation) },
  };
}

function contentOf(schema: z.ZodType, form: true | undefined) {
  const json = { 'application/json': { schema } };
  return form ? { ...json, 'application/x-www-form-urlencoded': { schema } } : json;
}

const IdempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description: 'The same key with the same body gives the same answer; with another body, 409.',
    }),
});

function parametersOf({ params, query, idempotent }: Operation) {
  return {
    ...(params instanceof z.ZodObject && { path: params }),
    ...(query instanceof z.ZodObject && { query }),
    ...(idempotent && { header: IdempotencyKey }),
  };
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` }) as const;
const HEADERS = { 'X-Request-Id': header('RequestId') };
const PAGE_HEADERS = { Link: header('NextPage'), 'X-Total-Count': header('TotalCount') };

function successOf(operation: Operation): Responses {
  const { success, query } = operation;
  const paged = query instanceof z.ZodObject && 'cursor' in query.shape;
  const headers = { ...HEADERS, ...(paged && PAGE_HEADERS) };
  return { [`${success.status}` as '200']: { ...bodyOf(operation), headers } };
}

function bodyOf({ success }: Operation): Response {
  if ('body' in success)
    return { description: 'Done', content: { 'application/json': { schema: success.body } } };
  if ('mediaTypes' in success) {
    const content = success.mediaTypes.map(
      (type) => [type, { schema: { type: 'string' as const } }] as const,
    );
    const events = Object.keys(success.events ?? {}).join('`, `');
    const description = events === '' ? 'Streamed' : `Streamed events: \`${events}\``;
    return { description, content: Object.fromEntries(content) };
  }
  return { description: 'faultsTo' in success ? 'Elsewhere' : 'Done, nothing to say' };
}

function failuresOf(operation: Operation): Responses {
  const failures = [...faultsOf(operation)].map(([status, codes]) => [
    String(status),
    codes.length === 0 ? sameBody(operation) : problemOf(status, codes),
  ]);
  return Object.fromEntries(failures);
}

function sameBody(operation: Operation): Response {
  return {
    ...bodyOf(operation),
    description: 'Not so; the body says what is wrong',
    headers: HEADERS,
  };
}

/** Headers that tell the client how or when to retry. */
const EXTRA: Record<number, Record<string, ReturnType<typeof header>>> = {
  401: { 'WWW-Authenticate': header('Challenge') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
};

function problemOf(status: number, codes: readonly string[]): Response {
  const schema = {
    $ref: '#/components/schemas/Problem',
    properties: { code: { enum: [...codes] } },
  };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: { ...HEADERS, ...EXTRA[status] },
    content: { 'application/problem+json': { schema } },
  };
}
