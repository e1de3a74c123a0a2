/** Plain values for unit tests: harmless ones, of which a test states only what it is about. */
import type { Principal } from '@portcullis/domain';
import type { AuditRecord, SavedRegistry, User } from '@portcullis/store';

/** A plain account without any grant, in a browser. */
export function samplePrincipal(change: Partial<Principal> = {}): Principal {
  return {
    id: 'u',
    username: 'ann',
    isAdmin: false,
    canBypassVulnBlock: false,
    auth: 'session',
    grants: [],
    ...change,
  };
}

/** A plain local account. */
export function sampleUser(change: Partial<User> = {}): User {
  return {
    id: 'u',
    username: 'ann',
    email: null,
    passwordHash: null,
    isAdmin: false,
    canBypassVulnBlock: false,
    disabled: false,
    authSource: 'local',
    mustChangePassword: false,
    createdAt: new Date(0),
    lastLoginAt: null,
    ...change,
  };
}

/** A global one, with TLS and without an account there. */
export function sampleRegistry(change: Partial<SavedRegistry> = {}): SavedRegistry {
  return {
    id: 'r',
    name: 'r',
    host: 'registry.example',
    username: null,
    hasPassword: false,
    ownerId: null,
    ownerName: null,
    useTls: true,
    tlsVerify: true,
    caCert: null,
    system: false,
    createdAt: new Date(0),
    lastCheck: null,
    ...change,
  };
}

/** Somebody did something in a browser, and it was done. */
export function sampleEvent(change: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: 'e1',
    at: '2026-11-21T12:00:00.000Z',
    event: 'auth.login',
    outcome: 'success',
    actor: { id: null, name: 'ada', auth: 'session' },
    action: 'POST /auth/login',
    resource: null,
    client_ip: '127.0.0.1',
    user_agent: null,
    method: 'POST',
    path: '/api/auth/login',
    status: 200,
    duration_ms: 3,
    request_id: null,
    detail: {},
    ...change,
  };
}
