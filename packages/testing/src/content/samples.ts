/** Default values for unit tests, of which a test overrides only what it is about. */
import type {
  AuditEvent,
  Principal,
  ScanReport,
  Severity,
  Vulnerability,
} from '@portcullis/domain';
import type { SavedRegistry, User } from '@portcullis/store';

/** An ordinary account without any grant, logged in by a browser. */
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

/** An ordinary local account. */
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

/** A global registry with TLS and without credentials. */
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
    tokenHosts: [],
    pushNamespace: null,
    system: false,
    policyId: null,
    createdAt: new Date(0),
    lastCheck: null,
    ...change,
  };
}

/** A successful action of an account in a browser. */
export function sampleEvent(change: Partial<AuditEvent> = {}): AuditEvent {
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

/** A complete report in which each package has one HIGH vulnerability. */
export function sampleReport(found: readonly SampleFinding[]): ScanReport {
  return {
    coverage: 'full',
    notes: [],
    os: null,
    targets: [],
    vulnerabilities: [...Map.groupBy(found, ({ id }) => id)].map(([id, packages]) =>
      sampleVulnerability(id, packages),
    ),
    scanner: { name: 'trivy', version: '1', dbUpdatedAt: '2026-11-22T06:00:00Z' },
  };
}

interface SampleFinding {
  id: string;
  package: string;
  purl?: string;
  severity?: Severity;
}

function sampleVulnerability(id: string, packages: readonly SampleFinding[]): Vulnerability {
  return {
    id,
    severity: packages[0]?.severity ?? 'HIGH',
    title: null,
    cvssScore: null,
    cvssVector: null,
    cvssSource: null,
    primaryUrl: null,
    publishedAt: null,
    packages: packages.map(({ package: name, purl = null, severity = 'HIGH' }) => ({
      name,
      installedVersion: '1.0',
      fixedVersion: '1.1',
      severity,
      status: 'fixed',
      target: 'image',
      path: null,
      purl,
      layerDigest: null,
      platform: null,
    })),
  };
}
