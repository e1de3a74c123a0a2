/**
 * Mounts the routes on Express: authenticate, check the origin, validate, handle, audit, reply, in
 * this order.
 */
import { randomUUID } from 'node:crypto';
import { faultsOf, type Operation, toWire } from '@portcullis/contract';
import { type AuditEventName, mayCall, type Principal, storableText } from '@portcullis/domain';
import { forbidden, unauthenticated } from '@portcullis/errors';
import type { AuditEvent } from '@portcullis/events';
import type { AuditScope } from '@portcullis/store';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { allowedMethods } from './allowed-methods.ts';
import { type AuditPorts, auditEvent, interrupted } from './audit.ts';
import { formOrJsonBody, jsonBody, largeJsonBody } from './body.ts';
import type { ApiCall, AuditNotes } from './call.ts';
import type { AccountTurns } from './client/account-turns.ts';
import { publicUrlOf } from './client/public-url.ts';
import { localsOf } from './client/request-id.ts';
import { assertSameOrigin } from './client/same-origin.ts';
import { idempotencyOf } from './idempotency.ts';
import type { Route } from './implement.ts';
import { isGone, leavingOf } from './leaving.ts';
import { failureOf, type ProblemFacts } from './problem.ts';
import { validate } from './validate.ts';

export interface Kit {
  /** Null without a credential. @throws unauthenticated for an invalid one */
  authenticate(request: Request): Promise<Principal | null>;
  audit: AuditPorts;
  publicUrl: string | null;
  idempotencySecret: Buffer;
  turns: AccountTurns;
  /** Compares every reply with the contract; on in tests only. */
  checkReplies: boolean;
}

export function mount(routes: Route[], kit: Kit): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(allowedMethods(routes.map(({ operation }) => operation)));
  for (const route of routes) {
    const { method, path, body } = route.operation;
    const handlers: RequestHandler[] = body
      ? [expectAccess(route, kit), bodyParser(route.operation)]
      : [expectAccess(route, kit)];
    router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), ...handlers, serve(route, kit));
  }
  return router;
}

function bodyParser({ form, large }: Operation): RequestHandler {
  if (form) return formOrJsonBody;
  return large ? largeJsonBody : jsonBody;
}

/** Runs before the body is read, so that no client uploads to a route it may not use. */
function expectAccess({ operation }: Route, kit: Kit): RequestHandler {
  return async (request, response, next) => {
    const notes: AuditNotes = { id: randomUUID(), actor: null, resource: null, detail: {} };
    response.locals.operation = operation.path;
    response.locals.notes = notes;
    response.locals.scope = null;
    response.locals.principal = null;
    try {
      // A stale cookie must not prevent a login.
      const principal = operation.access === 'public' ? null : await kit.authenticate(request);
      response.locals.principal = principal;
      assertAccess(operation, principal);
      assertSameOrigin(request, publicUrlOf(request, kit.publicUrl));
    } catch (error) {
      await auditFailure(operation, { request, response, error, kit });
      return next(describe(operation, error, kit));
    }
    next();
  };
}

function assertAccess(operation: Operation, principal: Principal | null): void {
  if (operation.access === 'public') return;
  if (!principal) throw unauthenticated('CREDENTIAL_MISSING', 'Log in, or send a bearer token.');
  if (principal.mustChangePassword && !operation.beforePasswordChange)
    throw forbidden('PASSWORD_CHANGE_REQUIRED', 'Change your password first.');
  if (operation.access === 'admin' && !principal.isAdmin)
    throw forbidden('ADMIN_ONLY', 'This needs an administrator.');
  if (operation.access === 'user' && !mayCall(principal, operation.token))
    throw forbidden('TOKEN_ACTION', tokenActionText(operation));
}

function tokenActionText({ token }: Operation): string {
  if (token === undefined || token === 'any')
    return 'This needs a token whose scope is not limited, or a login.';
  return `The scope of this token has none of the actions that this needs: ${token.join(', ')}.`;
}

function serve(route: Route, kit: Kit): RequestHandler {
  return async (request, response, next) => {
    const { operation } = route;
    try {
      noteAttempt(operation, request, notesOf(response));
      const input = await validate(operation, request);
      const scope = beginScope(operation, { request, response, kit });
      const call = openCall(operation, { request, response, kit }, scope);
      const handle = () => inTurn(operation, call, kit, () => route.handle(input, call));
      const body = await (scope ? scope.run(handle) : handle());
      await auditSuccess(operation, { request, response, kit });
      reply(operation, response, body, kit);
    } catch (error) {
      await auditFailure(operation, { request, response, error, kit });
      if (isGone(response, error)) return;
      const page = faultPage(operation, request, error);
      if (page === null) return next(describe(operation, error, kit));
      redirect(response, page);
    }
  };
}

function inTurn<T>(
  { costly }: Operation,
  { principal, signal }: ApiCall,
  { turns }: Kit,
  work: () => Promise<T>,
): Promise<T> {
  return costly && principal ? turns(principal.id, signal, work) : work();
}

/** Clients cannot handle faults that the contract does not declare: in tests these become 500. */
function describe(operation: Operation, error: unknown, { checkReplies }: Kit): unknown {
  const { status, code } = failureOf(error);
  const known = faultsOf(operation).get(status)?.includes(code) ?? false;
  if (known || !checkReplies) return error;
  return new Error(`${operation.path} may not answer ${status} ${code}`, { cause: error });
}

/** The page that a browser is redirected to for a fault; null for other clients. */
function faultPage({ success }: Operation, request: Request, error: unknown): string | null {
  if (!('faultsTo' in success) || request.accepts(['json', 'html']) !== 'html') return null;
  return `${success.faultsTo}?error=${failureOf(error).code}`;
}

function redirect(response: Response, url: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.redirect(302, url);
}

/** Names the resource of a create operation, so that the audit event has it also on failure. */
function noteAttempt({ audit }: Operation, { body }: Request, notes: AuditNotes): void {
  const kind = audit?.endsWith(CREATE) ? audit.slice(0, -CREATE.length).replaceAll('.', '_') : null;
  if (kind === null || typeof body !== 'object' || body === null) return;
  const given: unknown = Reflect.get(body, 'name') ?? Reflect.get(body, 'username');
  if (typeof given === 'string')
    notes.resource = { kind, id: null, name: storableText(given.slice(0, LONGEST_NAME)) };
}

const CREATE = '.create';
const LONGEST_NAME = 255;

/**
 * Commits the audit event with the handler's first write. Operations without an event write
 * nothing.
 */
function beginScope(operation: Operation, { request, response, kit }: Ended): AuditScope | null {
  if (operation.audit === undefined) return null;
  const event = operation.audit;
  const scope = kit.audit.scope(() =>
    interrupted(eventOf(event, operation, { request, response, status: null })),
  );
  response.locals.scope = scope;
  return scope;
}

function openCall(
  operation: Operation,
  { request, response, kit }: Ended,
  scope: AuditScope | null,
): ApiCall {
  const { requestId, log } = localsOf(response);
  const notes = notesOf(response);
  const idempotency = idempotencyOf(operation, request, kit.idempotencySecret);
  return {
    principal: principalOf(response),
    requestId,
    clientIp: request.ip ?? '',
    log,
    idempotency: idempotency && {
      ...idempotency,
      replayed: () => void Object.assign(notes.detail, { replayed: true }),
    },
    request,
    response,
    signal: leavingOf(response),
    about: (resource) => void Object.assign(notes, { resource }),
    note: (detail) => void Object.assign(notes.detail, detail),
    part: (event, resource) =>
      partOf(eventOf(event, operation, { request, response, status: null }), resource),
    actor: (actor) => void Object.assign(notes, { actor }),
    intend: async () => scope?.intend(),
    header: (name, value) => void response.setHeader(name, value),
    cookie: (name, value, options) => void response.cookie(name, value, options),
    status: (status) => void response.status(status),
  };
}

function partOf(whole: AuditEvent, resource: AuditEvent['resource']): AuditEvent {
  return { ...whole, id: randomUUID(), resource, detail: { part_of: whole.id } };
}

function reply({ success }: Operation, response: Response, body: unknown, kit: Kit): void {
  // A stream's handler has written the whole reply.
  if ('mediaTypes' in success) return;
  if ('faultsTo' in success) return void redirect(response, String(body));
  if (response.statusCode === 200) response.status(success.status);
  if (!('body' in success)) return void response.end();
  response.setHeader('Cache-Control', 'no-store');
  const written = toWire(success.body, body);
  response.json(kit.checkReplies ? success.body.parse(written) : written);
}

interface Ended {
  request: Request;
  response: Response;
  kit: Kit;
}

async function auditSuccess(
  operation: Operation,
  { request, response, kit }: Ended,
): Promise<void> {
  if (operation.audit === undefined) return;
  if (isUnnamed(operation, response)) return void (await kit.audit.end(trailOf(response), null));
  const status = response.statusCode === 200 ? operation.success.status : response.statusCode;
  await audit(operation.audit, operation, status, { request, response, kit });
}

/** Records every denial, and other faults only of operations with an audit event. */
async function auditFailure(
  operation: Operation,
  { request, response, kit, error }: Ended & { error: unknown },
): Promise<void> {
  const failure = failureOf(error);
  const { status, code } = failure;
  const event = faultEvent(operation, code);
  const denied = status === 403 || (status === 401 && hasCredential(request));
  const isEvent = event !== undefined && !isUnnamed(operation, response);
  const isRecorded = denied || (isEvent && (status !== 401 || operation.access === 'public'));
  if (!isRecorded) return void (await kit.audit.end(trailOf(response), null));
  const notes = notesOf(response);
  notes.detail = { ...notes.detail, code, ...fieldCodes(failure) };
  const name = event ?? 'request.denied';
  if (status >= 500 && trailOf(response).mayHaveChanged())
    return kit.audit.tell(inDoubt(eventOf(name, operation, { request, response, status })));
  await audit(name, operation, status, { request, response, kit });
}

/**
 * A request that fails because the database became unavailable may have committed its change. The
 * draft of its event was committed with the change, so the failure is a separate event.
 */
function inDoubt(event: AuditEvent): AuditEvent {
  return { ...event, id: randomUUID(), detail: { ...event.detail, continues: event.id } };
}

/** What is wrong with the fields, by code: their paths may have names that the caller chose. */
function fieldCodes({ code, errors = [] }: ProblemFacts): { faults?: string[] } {
  const faults = [...new Set(errors.map((fault) => fault.code))].filter((each) => each !== code);
  return faults.length > 0 ? { faults } : {};
}

function faultEvent(operation: Operation, code: string): AuditEventName | undefined {
  const recorded = 'auditFaults' in operation ? operation.auditFaults : undefined;
  return recorded?.codes.includes(code) ? recorded.event : operation.audit;
}

/** Whether only what the handler names is recorded, and it named nothing. */
function isUnnamed({ auditedWhere }: Operation, response: Response): boolean {
  return auditedWhere === 'named' && notesOf(response).resource === null;
}

/** Requests without a credential are not recorded: any client may send as many as it likes. */
function hasCredential(request: Request): boolean {
  return request.headers.authorization !== undefined || request.headers.cookie !== undefined;
}

async function audit(
  event: AuditEventName,
  operation: Operation,
  status: number,
  ended: Ended,
): Promise<void> {
  const { request, response, kit } = ended;
  await kit.audit.end(trailOf(response), eventOf(event, operation, { request, response, status }));
}

function eventOf(
  event: AuditEventName,
  operation: Operation,
  { request, response, status }: Pick<Ended, 'request' | 'response'> & { status: number | null },
): AuditEvent {
  const action = `${operation.method.toUpperCase()} ${operation.path}`;
  const audited = {
    event,
    action,
    status,
    notes: notesOf(response),
    principal: principalOf(response),
  };
  return auditEvent(request, response, audited);
}

/** A request that ended before it had a scope has committed nothing. */
const NO_SCOPE: Ending = { end: async () => false, mayHaveChanged: () => false };

type Ending = Pick<AuditScope, 'end' | 'mayHaveChanged'>;

function trailOf(response: Response): Ending {
  return response.locals.scope ?? NO_SCOPE;
}

function notesOf(response: Response): AuditNotes {
  return response.locals.notes;
}

function principalOf(response: Response): Principal | null {
  return response.locals.principal;
}
